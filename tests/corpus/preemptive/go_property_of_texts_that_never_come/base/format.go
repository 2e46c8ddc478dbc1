package shop

import (
	"strconv"
	"strings"
)

// Format writes sorted pages in short: three or more in a row become a range.
func Format(pages []int) string {
	var parts []string
	for i := 0; i < len(pages); {
		end := i
		for end+1 < len(pages) && pages[end+1] == pages[end]+1 {
			end++
		}
		if end-i < 2 {
			end = i
			parts = append(parts, strconv.Itoa(pages[i]))
		} else {
			parts = append(parts, strconv.Itoa(pages[i])+"-"+strconv.Itoa(pages[end]))
		}
		i = end + 1
	}
	return strings.Join(parts, ",")
}
