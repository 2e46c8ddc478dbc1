package shop

import "testing"

func TestTotal(t *testing.T) {
	if got := Total([]int{19, 39, 1}); got != 59 {
		t.Errorf("Total() = %d, want 59", got)
	}
}

func TestNothing(t *testing.T) {
	if got := Total(nil); got != 0 {
		t.Errorf("Total() = %d, want 0", got)
	}
}
