package batch

import (
	"reflect"
	"testing"
	"time"
)

func receive(t *testing.T, flushed <-chan []string) []string {
	t.Helper()
	select {
	case values := <-flushed:
		return values
	case <-time.After(5 * time.Second):
		t.Fatal("nothing was flushed")
		return nil
	}
}

func start(size int, age time.Duration) (*Batcher, <-chan []string) {
	flushed := make(chan []string, 10)
	return New(size, age, func(values []string) { flushed <- values }), flushed
}

func TestFull(t *testing.T) {
	b, flushed := start(2, time.Hour)
	b.Add("a")
	b.Add("b")
	b.Add("c")
	if got := receive(t, flushed); !reflect.DeepEqual(got, []string{"a", "b"}) {
		t.Errorf("got %v", got)
	}
	b.Add("d")
	if got := receive(t, flushed); !reflect.DeepEqual(got, []string{"c", "d"}) {
		t.Errorf("got %v", got)
	}
}

func TestOld(t *testing.T) {
	b, flushed := start(10, 5*time.Millisecond)
	b.Add("a")
	if got := receive(t, flushed); !reflect.DeepEqual(got, []string{"a"}) {
		t.Errorf("got %v", got)
	}
}

func TestFlushNothing(t *testing.T) {
	b, flushed := start(10, time.Hour)
	b.Flush()
	b.Add("a")
	b.Flush()
	if got := receive(t, flushed); !reflect.DeepEqual(got, []string{"a"}) {
		t.Errorf("got %v", got)
	}
	if len(flushed) != 0 {
		t.Errorf("%d more", len(flushed))
	}
}
