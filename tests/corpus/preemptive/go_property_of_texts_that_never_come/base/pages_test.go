package shop

import (
	"reflect"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string][]int{
		"7":           {7},
		"1-3,7":       {1, 2, 3, 7},
		" 7, 1 - 3 ":  {1, 2, 3, 7},
		"2-4,3-5,4":   {2, 3, 4, 5},
		"12-10":       {10, 11, 12},
		"9998-9999,1": {1, 9998, 9999},
	} {
		if got, err := Parse(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, %v instead of %v", text, got, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "x", "1,,2", "0-3", "1-", "10000"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestFormat(t *testing.T) {
	for want, pages := range map[string][]int{
		"":             nil,
		"5":            {5},
		"5,6":          {5, 6},
		"1-3,7":        {1, 2, 3, 7},
		"1,3,5-8,9999": {1, 3, 5, 6, 7, 8, 9999},
	} {
		if got := Format(pages); got != want {
			t.Errorf("%v: %q instead of %q", pages, got, want)
		}
	}
}
