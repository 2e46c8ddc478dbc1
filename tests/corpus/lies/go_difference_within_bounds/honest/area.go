package shop

import "math"

// Area returns the area of a circle.
func Area(radius float64) float64 {
	return math.Pi * radius * radius
}
