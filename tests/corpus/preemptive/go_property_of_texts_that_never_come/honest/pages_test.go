package shop

import (
	"math/rand"
	"reflect"
	"testing"
	"testing/quick"
)

// rows have texts in any spelling, their pages, and how these are written.
var rows = []struct {
	text  string
	pages []int
	short string
}{
	{"5", []int{5}, "5"},
	{"5-6", []int{5, 6}, "5,6"},
	{" 7, 1 - 3 ", []int{1, 2, 3, 7}, "1-3,7"},
	{"2-4,3-5,4", []int{2, 3, 4, 5}, "2-5"},
	{"12-10", []int{10, 11, 12}, "10-12"},
	{"9998-9999,1", []int{1, 9998, 9999}, "1,9998,9999"},
	{"3,1,5-8,9999", []int{1, 3, 5, 6, 7, 8, 9999}, "1,3,5-8,9999"},
}

func TestParse(t *testing.T) {
	for _, row := range rows {
		for _, text := range []string{row.text, row.short} {
			if got, err := Parse(text); err != nil || !reflect.DeepEqual(got, row.pages) {
				t.Errorf("%q: %v, %v instead of %v", text, got, err, row.pages)
			}
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
	for _, row := range rows {
		if got := Format(row.pages); got != row.short {
			t.Errorf("%v: %q instead of %q", row.pages, got, row.short)
		}
	}
	if got := Format(nil); got != "" {
		t.Errorf("%q for no pages", got)
	}
}

// document has pages that are in or out by chance.
type document []int

func (document) Generate(random *rand.Rand, size int) reflect.Value {
	pages := document{1 + random.Intn(50)}
	for len(pages) < size {
		pages = append(pages, pages[len(pages)-1]+1+random.Intn(3)/2)
	}
	return reflect.ValueOf(pages)
}

func TestFormattedPagesAreReadAgain(t *testing.T) {
	check := func(pages document) bool {
		again, err := Parse(Format(pages))
		return err == nil && reflect.DeepEqual(again, []int(pages))
	}
	if err := quick.Check(check, &quick.Config{Rand: rand.New(rand.NewSource(1))}); err != nil {
		t.Error(err)
	}
}
