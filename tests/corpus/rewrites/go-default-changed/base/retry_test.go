package retry

import (
	"errors"
	"testing"
)

func TestDefault(t *testing.T) {
	calls := 0
	want := errors.New("down")
	err := Policy{}.Do(func() error { calls++; return want })
	if err != want {
		t.Errorf("got %v", err)
	}
	if calls != 5 {
		t.Errorf("%d calls", calls)
	}
}

func TestSuccessEndsIt(t *testing.T) {
	calls := 0
	err := Policy{Attempts: 9}.Do(func() error {
		if calls++; calls < 2 {
			return errors.New("down")
		}
		return nil
	})
	if err != nil || calls != 2 {
		t.Errorf("%v after %d calls", err, calls)
	}
}
