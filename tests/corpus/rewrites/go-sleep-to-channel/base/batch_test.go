package batch

import (
	"reflect"
	"sync"
	"testing"
	"time"
)

type record struct {
	mu   sync.Mutex
	seen [][]string
}

func (r *record) flush(values []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, values)
}

func (r *record) all() [][]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen
}

func TestFull(t *testing.T) {
	var r record
	b := New(2, time.Hour, r.flush)
	b.Add("a")
	b.Add("b")
	b.Add("c")
	time.Sleep(300 * time.Millisecond)
	if got := r.all(); !reflect.DeepEqual(got, [][]string{{"a", "b"}}) {
		t.Errorf("got %v", got)
	}
}

func TestOld(t *testing.T) {
	var r record
	b := New(10, 5*time.Millisecond, r.flush)
	b.Add("a")
	time.Sleep(300 * time.Millisecond)
	if got := r.all(); !reflect.DeepEqual(got, [][]string{{"a"}}) {
		t.Errorf("got %v", got)
	}
}

func TestFlushNothing(t *testing.T) {
	var r record
	New(10, time.Hour, r.flush).Flush()
	time.Sleep(300 * time.Millisecond)
	if got := r.all(); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}
