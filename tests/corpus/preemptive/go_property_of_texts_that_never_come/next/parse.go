// Package shop reads and writes which pages of a document to print.
package shop

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// Parse returns the pages of a text such as "1-3, 7": sorted, each once.
func Parse(text string) ([]int, error) {
	seen := map[int]bool{}
	for _, part := range strings.Split(text, ",") {
		first, last, err := parseRange(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		seen[first] = true
		for page := first + 1; page < last; page++ {
			seen[page] = true
		}
	}
	pages := make([]int, 0, len(seen))
	for page := range seen {
		pages = append(pages, page)
	}
	sort.Ints(pages)
	return pages, nil
}

func parseRange(text string) (first, last int, err error) {
	ends := strings.SplitN(text, "-", 2)
	if first, err = parsePage(ends[0]); err != nil {
		return 0, 0, err
	}
	if len(ends) == 1 {
		return first, first, nil
	}
	if last, err = parsePage(ends[1]); err != nil {
		return 0, 0, err
	}
	if last < first {
		first, last = last, first
	}
	return first, last, nil
}

func parsePage(text string) (int, error) {
	page, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || page < 1 || page > 9999 {
		return 0, fmt.Errorf("%q is no page", text)
	}
	return page, nil
}
