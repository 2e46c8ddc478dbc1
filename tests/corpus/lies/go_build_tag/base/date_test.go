package shop

import (
	"testing"
	"time"
)

func TestMonday(t *testing.T) {
	if Weekend(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Error("Monday")
	}
}
