package shop

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrBackwards says that a stay ends before it begins.
var ErrBackwards = errors.New("a stay ends before it begins")

const layout = "2006-01-02 15:04"

// ReadStay returns how long a stay is, from two times with " to " between them. A second time without a date is on the
// day of the first, or on the next if it is earlier.
func ReadStay(text string) (time.Duration, error) {
	parts := strings.SplitN(text, " to ", 2)
	if len(parts) != 2 {
		return 0, fmt.Errorf("%q is no stay", text)
	}
	begin, err := time.Parse(layout, strings.TrimSpace(parts[0]))
	if err != nil {
		return 0, err
	}
	last := strings.TrimSpace(parts[1])
	short := len(last) == len("15:04")
	if short {
		last = begin.Format("2006-01-02 ") + last
	}
	end, err := time.Parse(layout, last)
	if err != nil {
		return 0, err
	}
	if end.Before(begin) {
		return 0, ErrBackwards
	}
	return end.Sub(begin), nil
}
