package shop

import (
	"testing"
	"time"
)

func TestSunday(t *testing.T) {
	if !Weekend(time.Date(2024, 1, 7, 0, 0, 0, 0, time.UTC)) {
		t.Error("Sunday is one")
	}
}
