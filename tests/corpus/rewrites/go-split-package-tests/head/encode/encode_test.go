package encode

import (
	"reflect"
	"testing"

	"example.org/ini"
)

var file = ini.File{"a": {"x": "1", "y": "2"}, "b": {}}

func TestEncode(t *testing.T) {
	if got := Encode(file); got != "[a]\nx = 1\ny = 2\n[b]\n" {
		t.Errorf("got %q", got)
	}
}

func TestRoundTrip(t *testing.T) {
	got, err := ini.Decode(Encode(file))
	if err != nil || !reflect.DeepEqual(got, file) {
		t.Errorf("got %v, %v", got, err)
	}
}
