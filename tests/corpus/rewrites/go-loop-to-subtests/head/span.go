// Package span reads lengths of time in words.
package span

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

var units = map[string]time.Duration{
	"second": time.Second,
	"minute": time.Minute,
	"hour":   time.Hour,
	"day":    24 * time.Hour,
	"week":   7 * 24 * time.Hour,
}

// Parse returns the duration of a text such as "2 days 1 hour".
func Parse(text string) (time.Duration, error) {
	words := strings.Fields(text)
	if len(words) == 0 || len(words)%2 != 0 {
		return 0, fmt.Errorf("span: want pairs of number and unit in %q", text)
	}
	var sum time.Duration
	for i := 0; i < len(words); i += 2 {
		count, err := strconv.Atoi(words[i])
		if err != nil {
			return 0, fmt.Errorf("span: %w", err)
		}
		unit, known := units[strings.TrimSuffix(words[i+1], "s")]
		if !known {
			return 0, fmt.Errorf("span: unknown unit %q", words[i+1])
		}
		sum += time.Duration(count) * unit
	}
	return sum, nil
}
