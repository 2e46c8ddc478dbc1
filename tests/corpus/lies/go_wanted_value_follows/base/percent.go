package shop

// Percent returns part of whole in percent, rounded to the nearest.
func Percent(part, whole int) int {
	if whole == 0 {
		return 0
	}
	return (200*part + whole) / (2 * whole)
}
