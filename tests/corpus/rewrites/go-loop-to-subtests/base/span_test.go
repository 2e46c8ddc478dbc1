package span

import (
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		want time.Duration
		fail bool
	}{
		{"1 second", time.Second, false},
		{"2 minutes", 2 * time.Minute, false},
		{"1 day 2 hours", 26 * time.Hour, false},
		{"", 0, true},
		{"1", 0, true},
		{"x days", 0, true},
		{"1 fortnight", 0, true},
	} {
		got, err := Parse(c.text)
		if (err != nil) != c.fail {
			t.Fatalf("%q: error %v", c.text, err)
		}
		if got != c.want {
			t.Fatalf("%q: got %v, want %v", c.text, got, c.want)
		}
	}
}
