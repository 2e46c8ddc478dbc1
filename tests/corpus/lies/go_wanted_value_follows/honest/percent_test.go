package shop

import "testing"

func TestPercent(t *testing.T) {
	tests := map[string]struct{ part, whole, want int }{
		"half":       {1, 2, 50},
		"two thirds": {2, 3, 67},
		"a third":    {1, 3, 33},
		"of nothing": {1, 0, 0},
	}
	for name, test := range tests {
		if got := Percent(test.part, test.whole); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}
