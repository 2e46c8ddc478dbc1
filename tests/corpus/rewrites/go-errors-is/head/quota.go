// Package quota counts what users store.
package quota

import (
	"errors"
	"fmt"
)

// What Take refuses.
var (
	ErrNegative = errors.New("negative size")
	ErrExceeded = errors.New("exceeded by")
)

// Quota is how many bytes each user may store.
type Quota struct {
	limit int
	used  map[string]int
}

// New returns a quota of limit bytes for everybody.
func New(limit int) *Quota {
	return &Quota{limit: limit, used: map[string]int{}}
}

// Take reserves bytes for a user.
func (q *Quota) Take(user string, bytes int) error {
	if bytes < 0 {
		return fmt.Errorf("quota: %s: %w %d", user, ErrNegative, bytes)
	}
	if left := q.limit - q.used[user]; bytes > left {
		return fmt.Errorf("quota: %s: %w %d", user, ErrExceeded, bytes-left)
	}
	q.used[user] += bytes
	return nil
}
