package ring

import (
	"reflect"
	"testing"
)

func TestAdd(t *testing.T) {
	r := New(3)
	r.Add(1)
	r.Add(2)
	if r.start != 0 || r.count != 2 {
		t.Fatalf("start %d, count %d", r.start, r.count)
	}
	if !reflect.DeepEqual(r.buf, []int{1, 2, 0}) {
		t.Fatalf("buf %v", r.buf)
	}
}

func TestAddWhenFull(t *testing.T) {
	r := New(3)
	for i := 1; i <= 5; i++ {
		r.Add(i)
	}
	if r.start != 2 || r.count != 3 {
		t.Fatalf("start %d, count %d", r.start, r.count)
	}
	if !reflect.DeepEqual(r.Values(), []int{3, 4, 5}) {
		t.Fatalf("values %v", r.Values())
	}
}

func TestNewPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Fatal("no panic")
		}
	}()
	New(0)
}
