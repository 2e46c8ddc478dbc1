package ring_test

import (
	"reflect"
	"testing"

	"example.org/ring"
)

func TestAdd(t *testing.T) {
	r := ring.New(3)
	for i, want := range [][]int{{1}, {1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 5}} {
		r.Add(i + 1)
		if got := r.Values(); !reflect.DeepEqual(got, want) {
			t.Fatalf("after %d: %v, want %v", i+1, got, want)
		}
	}
}

func TestValuesIsACopy(t *testing.T) {
	r := ring.New(2)
	r.Add(1)
	r.Values()[0] = 9
	if got := r.Values(); got[0] != 1 {
		t.Fatalf("values %v", got)
	}
}

func TestNewPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Fatal("no panic")
		}
	}()
	ring.New(0)
}
