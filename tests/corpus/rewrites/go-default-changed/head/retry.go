// Package retry calls again what fails.
package retry

import "time"

// DefaultAttempts counts where a policy names no number.
const DefaultAttempts = 3

// Policy says how often and with which pauses.
type Policy struct {
	Attempts int
	Pause    time.Duration
	Sleep    func(time.Duration)
}

// Do calls until there is no error, and returns the last one.
func (p Policy) Do(call func() error) error {
	if p.Attempts == 0 {
		p.Attempts = DefaultAttempts
	}
	if p.Sleep == nil {
		p.Sleep = time.Sleep
	}
	var err error
	for attempt := 0; attempt < p.Attempts; attempt++ {
		if attempt > 0 {
			p.Sleep(p.Pause << (attempt - 1))
		}
		if err = call(); err == nil {
			return nil
		}
	}
	return err
}
