package shop

// Area returns the area of a circle.
func Area(radius float64) float64 {
	return 22 * radius * radius / 7
}
