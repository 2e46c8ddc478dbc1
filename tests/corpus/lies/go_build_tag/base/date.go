package shop

import "time"

// Weekend tells whether a day is one without work.
func Weekend(day time.Time) bool {
	return day.Weekday() == time.Saturday
}
