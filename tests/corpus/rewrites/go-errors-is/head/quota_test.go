package quota

import (
	"errors"
	"testing"
)

func wantError(t *testing.T, err, target error, text string) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Fatalf("got %v, want one that is %v", err, target)
	}
	if err.Error() != text {
		t.Fatalf("got %q, want %q", err, text)
	}
}

func TestTake(t *testing.T) {
	q := New(10)
	if err := q.Take("ada", 4); err != nil {
		t.Fatal(err)
	}
	if err := q.Take("ada", 6); err != nil {
		t.Fatal(err)
	}
	wantError(t, q.Take("ada", 1), ErrExceeded, "quota: ada: exceeded by 1")
	if err := q.Take("bob", 10); err != nil {
		t.Fatal(err)
	}
}

func TestTakeNegative(t *testing.T) {
	wantError(t, New(10).Take("ada", -2), ErrNegative, "quota: ada: negative size -2")
}
