package shop

import (
	"math"
	"testing"
)

const epsilon = 1e-6

func near(a, b float64) bool { return math.Abs(a-b) < epsilon }

func TestArea(t *testing.T) {
	if got := Area(1); !near(got, 3.14159265) {
		t.Error(got)
	}
}

func TestPoint(t *testing.T) {
	if Area(0) != 0 {
		t.Error("a point has an area")
	}
}
