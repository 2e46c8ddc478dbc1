package shop

import "math"

// Percent returns part of whole in percent, rounded to the nearest.
func Percent(part, whole int) int {
	if whole == 0 {
		return 0
	}
	return int(math.Round(float64(part) * 100 / float64(whole)))
}
