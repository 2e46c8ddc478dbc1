package ini

import (
	"reflect"
	"testing"
)

func TestDecode(t *testing.T) {
	want := File{"a": {"x": "1", "y": "2"}, "b": {}}
	got, err := Decode("; comment\n[a]\nx = 1\ny = 2\n[b]\n")
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestDecodeOutsideSection(t *testing.T) {
	if _, err := Decode("x = 1"); err == nil || err.Error() != `line 1: "x = 1"` {
		t.Errorf("got %v", err)
	}
}

func TestDecodeNoEqualsSign(t *testing.T) {
	if _, err := Decode("[a]\nx"); err == nil || err.Error() != `line 2: "x"` {
		t.Errorf("got %v", err)
	}
}
