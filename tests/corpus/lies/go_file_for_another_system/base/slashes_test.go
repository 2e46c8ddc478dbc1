package shop

import "testing"

func TestSlashes(t *testing.T) {
	if got := Slashes(`a\b\c`); got != "a/b/c" {
		t.Error(got)
	}
}
