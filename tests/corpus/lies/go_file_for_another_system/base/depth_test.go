package shop

import "testing"

func TestDepth(t *testing.T) {
	if got := Depth("a/b/c"); got != 2 {
		t.Error(got)
	}
}
