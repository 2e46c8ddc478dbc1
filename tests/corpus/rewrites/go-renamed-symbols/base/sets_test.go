package sets

import (
	"reflect"
	"testing"
)

func TestInsertString(t *testing.T) {
	s := NewStringSetBuilder("a")
	if s.InsertString("a") {
		t.Error("a is new")
	}
	if !s.InsertString("b") {
		t.Error("b isn't new")
	}
}

func TestContainsString(t *testing.T) {
	s := NewStringSetBuilder("a")
	if !s.ContainsString("a") || s.ContainsString("b") {
		t.Error("not the members that were given")
	}
}

func TestSorted(t *testing.T) {
	if got := NewStringSetBuilder("b", "a", "b").Sorted(); !reflect.DeepEqual(got, []string{"a", "b"}) {
		t.Errorf("got %v", got)
	}
}
