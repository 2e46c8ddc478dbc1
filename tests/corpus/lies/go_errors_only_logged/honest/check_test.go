package shop

import "testing"

func equal(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Logf("got %q, want %q", got, want)
		t.Fail()
	}
}
