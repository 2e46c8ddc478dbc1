package span

import (
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	tests := map[string]struct {
		text string
		want time.Duration
		fail bool
	}{
		"one":          {text: "1 second", want: time.Second},
		"several":      {text: "2 minutes", want: 2 * time.Minute},
		"two units":    {text: "1 day 2 hours", want: 26 * time.Hour},
		"weeks":        {text: "3 weeks", want: 21 * 24 * time.Hour},
		"week and day": {text: "1 week 1 day", want: 8 * 24 * time.Hour},
		"empty":        {text: "", fail: true},
		"no unit":      {text: "1", fail: true},
		"no number":    {text: "x days", fail: true},
		"unknown unit": {text: "1 fortnight", fail: true},
	}
	for name, test := range tests {
		test := test
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Parse(test.text)
			if (err != nil) != test.fail {
				t.Fatalf("%q: error %v", test.text, err)
			}
			if got != test.want {
				t.Errorf("%q: got %v, want %v", test.text, got, test.want)
			}
		})
	}
}
