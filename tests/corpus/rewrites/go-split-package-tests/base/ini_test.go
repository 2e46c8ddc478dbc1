package ini

import (
	"reflect"
	"testing"
)

const text = "[a]\nx = 1\ny = 2\n[b]\n"

var file = File{"a": {"x": "1", "y": "2"}, "b": {}}

func TestDecode(t *testing.T) {
	got, err := Decode("; comment\n" + text)
	if err != nil || !reflect.DeepEqual(got, file) {
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

func TestEncode(t *testing.T) {
	if got := Encode(file); got != text {
		t.Errorf("got %q", got)
	}
}

func TestRoundTrip(t *testing.T) {
	got, err := Decode(Encode(file))
	if err != nil || !reflect.DeepEqual(got, file) {
		t.Errorf("got %v, %v", got, err)
	}
}
