package shop

import (
	"math/rand"
	"reflect"
	"sort"
	"testing"
	"testing/quick"
)

// always checks a property of many texts, and the same ones in each run.
func always(t *testing.T, property func(text string, pages []int) bool) {
	t.Helper()
	check := func(text string) bool {
		pages, err := Parse(text)
		return err != nil || property(text, pages) // what is refused has a test of its own
	}
	config := &quick.Config{MaxCount: 5000, Rand: rand.New(rand.NewSource(1))}
	if err := quick.Check(check, config); err != nil {
		t.Error(err)
	}
}

func TestParsedPagesAreSorted(t *testing.T) {
	always(t, func(_ string, pages []int) bool {
		return len(pages) > 0 && sort.IntsAreSorted(pages)
	})
}

func TestParsedPagesExist(t *testing.T) {
	always(t, func(_ string, pages []int) bool {
		return pages[0] >= 1 && pages[len(pages)-1] <= 9999
	})
}

func TestParsedPagesAreReadAgain(t *testing.T) {
	always(t, func(_ string, pages []int) bool {
		again, err := Parse(Format(pages))
		return err == nil && reflect.DeepEqual(again, pages)
	})
}

func TestFormatIsNoLonger(t *testing.T) {
	always(t, func(text string, pages []int) bool {
		return len(Format(pages)) <= len(text)
	})
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "x", "1,,2", "0-3", "1-", "10000"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}
