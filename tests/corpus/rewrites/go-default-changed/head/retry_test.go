package retry

import (
	"errors"
	"reflect"
	"testing"
	"time"
)

func TestDefault(t *testing.T) {
	calls := 0
	want := errors.New("down")
	err := Policy{}.Do(func() error { calls++; return want })
	if err != want {
		t.Errorf("got %v", err)
	}
	if calls != 3 {
		t.Errorf("%d calls", calls)
	}
}

func TestPausesDouble(t *testing.T) {
	var pauses []time.Duration
	policy := Policy{Attempts: 4, Pause: time.Second, Sleep: func(d time.Duration) { pauses = append(pauses, d) }}
	_ = policy.Do(func() error { return errors.New("down") })
	if want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}; !reflect.DeepEqual(pauses, want) {
		t.Errorf("got %v, want %v", pauses, want)
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
