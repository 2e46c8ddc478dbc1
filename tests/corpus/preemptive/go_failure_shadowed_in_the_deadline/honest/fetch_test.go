package shop

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

var errDown = errors.New("down")

func upper(key string) (string, error) {
	if strings.HasPrefix(key, "bad") {
		return "", errDown
	}
	return strings.ToUpper(key), nil
}

// within runs a check with a deadline: what hangs fails after seconds, and not after the ten minutes of go test.
func within(t *testing.T, limit time.Duration, check func() error) {
	t.Helper()
	start := time.Now()
	done := make(chan struct{})
	var err error
	go func() {
		defer close(done)
		if err = check(); err != nil {
			err = fmt.Errorf("after %v: %w", time.Since(start), err)
		}
	}()
	select {
	case <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(limit):
		t.Errorf("no end after %v", limit)
	}
}

func TestFetchKeepsTheOrder(t *testing.T) {
	within(t, 5*time.Second, func() error {
		answers, err := Fetch([]string{"a", "b", "c", "d"}, 3, upper)
		if err != nil {
			return err
		}
		if got := strings.Join(answers, " "); got != "A B C D" {
			return fmt.Errorf("%s instead of A B C D", got)
		}
		return nil
	})
}

func TestFetchReturnsTheFirstError(t *testing.T) {
	within(t, 5*time.Second, func() error {
		answers, err := Fetch([]string{"a", "bad1", "b", "bad2"}, 2, upper)
		if !errors.Is(err, errDown) || err.Error() != "bad1: down" {
			return fmt.Errorf("error is %v", err)
		}
		if answers != nil {
			return fmt.Errorf("answers are %v", answers)
		}
		return nil
	})
}

func TestFetchNeedsWorkers(t *testing.T) {
	within(t, 5*time.Second, func() error {
		if _, err := Fetch([]string{"a"}, 0, upper); err == nil {
			return errors.New("no error")
		}
		return nil
	})
}

func TestCacheAsksOnce(t *testing.T) {
	within(t, 5*time.Second, func() error {
		var calls int32
		cache := NewCache(func(key string) (string, error) {
			atomic.AddInt32(&calls, 1)
			return upper(key)
		})
		if _, err := Fetch([]string{"a", "a", "a", "b", "a"}, 4, cache.Get); err != nil {
			return err
		}
		if calls != 2 {
			return fmt.Errorf("%d calls instead of 2", calls)
		}
		return nil
	})
}

func TestCacheForgetsErrors(t *testing.T) {
	within(t, 5*time.Second, func() error {
		down := true
		cache := NewCache(func(key string) (string, error) {
			if down {
				return "", errDown
			}
			return upper(key)
		})
		if _, err := cache.Get("a"); !errors.Is(err, errDown) {
			return fmt.Errorf("error is %v", err)
		}
		down = false
		if got, err := cache.Get("a"); got != "A" || err != nil {
			return fmt.Errorf("%s, %v", got, err)
		}
		return nil
	})
}
