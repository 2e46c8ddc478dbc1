package shop

import "testing"

func TestFew(t *testing.T) {
	if got := len(Primes(10)); got != 4 {
		t.Errorf("%d primes below 10", got)
	}
}

func TestMany(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	if got := len(Primes(1000)); got != 168 {
		t.Errorf("%d primes below 1000", got)
	}
}
