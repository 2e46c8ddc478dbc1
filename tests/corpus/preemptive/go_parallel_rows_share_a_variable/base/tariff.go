// Package shop counts what it costs to park.
package shop

import "time"

const day = 24 * time.Hour

// Tariff has prices in cents.
type Tariff struct {
	Free    time.Duration // a stay up to this costs nothing
	First   int           // the first hour
	Further int           // each further hour that has begun
	Day     int           // the most for 24 hours
}

// Fee returns the price of a stay.
func (t Tariff) Fee(stay time.Duration) int {
	if stay <= t.Free {
		return 0
	}
	fee := int(stay/day) * t.Day
	if rest := stay % day; rest > 0 {
		fee += t.within(rest)
	}
	return fee
}

func (t Tariff) within(stay time.Duration) int {
	hours := int((stay + time.Hour - 1) / time.Hour)
	fee := t.First + (hours-1)*t.Further
	if fee > t.Day {
		return t.Day
	}
	return fee
}
