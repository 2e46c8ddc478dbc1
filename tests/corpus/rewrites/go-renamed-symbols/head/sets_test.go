package sets

import (
	"reflect"
	"testing"
)

func TestAdd(t *testing.T) {
	s := New("a")
	if s.Add("a") {
		t.Error("a is new")
	}
	if !s.Add("b") {
		t.Error("b isn't new")
	}
}

func TestHas(t *testing.T) {
	s := New("a")
	if !s.Has("a") || s.Has("b") {
		t.Error("not the members that were given")
	}
}

func TestSorted(t *testing.T) {
	if got := New("b", "a", "b").Sorted(); !reflect.DeepEqual(got, []string{"a", "b"}) {
		t.Errorf("got %v", got)
	}
}
