package shop

import (
	"os"
	"testing"
)

func TestItems(t *testing.T) {
	want, err := os.ReadFile("testdata/items.golden")
	if err != nil {
		t.Fatal(err)
	}
	if got := Items([]string{"pen", "book"}); got != string(want) {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestNone(t *testing.T) {
	if Items(nil) != "" {
		t.Error("something of nothing")
	}
}
