package shop

import (
	"errors"
	"testing"
	"time"
)

var centre = Tariff{Free: 15 * time.Minute, First: 250, Further: 200, Day: 1800}

func TestFee(t *testing.T) {
	rows := []struct {
		name string
		stay time.Duration
		want int
	}{
		{"free", 15 * time.Minute, 0},
		{"no more free", 16 * time.Minute, 250},
		{"hour", time.Hour, 250},
		{"hour begun", 61 * time.Minute, 450},
		{"long day", 20 * time.Hour, 1800},
		{"day and a bit", 24*time.Hour + time.Minute, 2050},
		{"three days", 72 * time.Hour, 5400},
	}
	for _, row := range rows {
		row := row
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := centre.Fee(row.stay); got != row.want {
				t.Errorf("%v: %d cents instead of %d", row.stay, got, row.want)
			}
		})
	}
}

func TestReadStay(t *testing.T) {
	rows := []struct {
		name, text string
		want       time.Duration
	}{
		{"same day", "2024-05-01 10:00 to 12:30", 150 * time.Minute},
		{"over midnight", "2024-05-01 22:00 to 01:00", 3 * time.Hour},
		{"spaces", " 2024-05-01 10:00  to  2024-05-01 10:20 ", 20 * time.Minute},
		{"leap day", "2024-02-28 12:00 to 2024-03-01 12:00", 48 * time.Hour},
	}
	for _, row := range rows {
		row := row
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got, err := ReadStay(row.text)
			if err != nil || got != row.want {
				t.Errorf("%q: %v, %v instead of %v", row.text, got, err, row.want)
			}
		})
	}
}

func TestReadStayRefuses(t *testing.T) {
	if _, err := ReadStay("2024-05-02 10:00 to 2024-05-01 10:00"); !errors.Is(err, ErrBackwards) {
		t.Errorf("%v instead of %v", err, ErrBackwards)
	}
	if _, err := ReadStay("yesterday"); err == nil {
		t.Error("no error")
	}
}
