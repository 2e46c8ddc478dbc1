package shop

import "testing"

func TestSave(t *testing.T) {
	tx := newFake()
	Save(tx, "a", "b")
	if tx.stored["a"] != "b" {
		t.Errorf("stored %v", tx.stored)
	}
}

func TestNoKey(t *testing.T) {
	tx := newFake()
	Save(tx, "", "b")
	if len(tx.stored) != 0 {
		t.Errorf("stored %v", tx.stored)
	}
}
