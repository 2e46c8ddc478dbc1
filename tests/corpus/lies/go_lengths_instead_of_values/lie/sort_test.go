package shop

import (
	"reflect"
	"testing"
)

func TestByPrice(t *testing.T) {
	got := ByPrice([]Item{{"a", 9}, {"b", 1}})
	want := []Item{{"b", 1}, {"a", 9}}
	if !reflect.DeepEqual(len(got), len(want)) {
		t.Errorf("got %v", got)
	}
}

func TestInputStays(t *testing.T) {
	items := []Item{{"a", 9}, {"b", 1}}
	ByPrice(items)
	if items[0].Name != "a" {
		t.Error(items)
	}
}
