package shop

import "testing"

func TestReverse(t *testing.T) {
	equal(t, Reverse("abc"), "cba")
}

func TestUmlauts(t *testing.T) {
	equal(t, Reverse("grün"), "nürg")
}
