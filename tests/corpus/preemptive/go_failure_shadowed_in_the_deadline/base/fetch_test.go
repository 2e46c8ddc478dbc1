package shop

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
)

var errDown = errors.New("down")

func upper(key string) (string, error) {
	if strings.HasPrefix(key, "bad") {
		return "", errDown
	}
	return strings.ToUpper(key), nil
}

func TestFetchKeepsTheOrder(t *testing.T) {
	answers, err := Fetch([]string{"a", "b", "c", "d"}, 3, upper)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(answers, " "); got != "A B C D" {
		t.Fatalf("%s instead of A B C D", got)
	}
}

func TestFetchReturnsTheFirstError(t *testing.T) {
	answers, err := Fetch([]string{"a", "bad1", "b", "bad2"}, 2, upper)
	if !errors.Is(err, errDown) || err.Error() != "bad1: down" {
		t.Fatalf("error is %v", err)
	}
	if answers != nil {
		t.Fatalf("answers are %v", answers)
	}
}

func TestFetchNeedsWorkers(t *testing.T) {
	if _, err := Fetch([]string{"a"}, 0, upper); err == nil {
		t.Fatal("no error")
	}
}

func TestCacheAsksOnce(t *testing.T) {
	var calls int32
	cache := NewCache(func(key string) (string, error) {
		atomic.AddInt32(&calls, 1)
		return upper(key)
	})
	if _, err := Fetch([]string{"a", "a", "a", "b", "a"}, 4, cache.Get); err != nil {
		t.Fatal(err)
	}
	if calls != 2 {
		t.Fatalf("%d calls instead of 2", calls)
	}
}

func TestCacheForgetsErrors(t *testing.T) {
	down := true
	cache := NewCache(func(key string) (string, error) {
		if down {
			return "", errDown
		}
		return upper(key)
	})
	if _, err := cache.Get("a"); !errors.Is(err, errDown) {
		t.Fatalf("error is %v", err)
	}
	down = false
	if got, err := cache.Get("a"); got != "A" || err != nil {
		t.Fatalf("%s, %v", got, err)
	}
}
