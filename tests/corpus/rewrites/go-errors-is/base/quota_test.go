package quota

import "testing"

func TestTake(t *testing.T) {
	q := New(10)
	if err := q.Take("ada", 4); err != nil {
		t.Fatal(err)
	}
	if err := q.Take("ada", 6); err != nil {
		t.Fatal(err)
	}
	err := q.Take("ada", 1)
	if err == nil || err.Error() != "quota: ada: exceeded by 1" {
		t.Fatalf("got %v", err)
	}
	if err := q.Take("bob", 10); err != nil {
		t.Fatal(err)
	}
}

func TestTakeNegative(t *testing.T) {
	err := New(10).Take("ada", -2)
	if err == nil || err.Error() != "quota: ada: negative size -2" {
		t.Fatalf("got %v", err)
	}
}
