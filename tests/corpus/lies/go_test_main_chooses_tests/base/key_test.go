package shop

import "testing"

func TestKey(t *testing.T) {
	if Key("Ann  Lee") != "ann lee" {
		t.Error("inner white space counts")
	}
}

func TestCapitals(t *testing.T) {
	if Key("ANN") != "ann" {
		t.Error("capitals count")
	}
}
