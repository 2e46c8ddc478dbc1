package shop

import "testing"

func TestFound(t *testing.T) {
	if got, _ := Lookup(map[string]string{"a": "b"}, "a"); got != "b" {
		t.Error(got)
	}
}

func TestMissing(t *testing.T) {
	_, err := Lookup(nil, "a")
	if err == nil || err.Error() != "no key a" {
		t.Error(err)
	}
}
