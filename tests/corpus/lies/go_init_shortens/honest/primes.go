package shop

// Primes returns the primes below limit.
func Primes(limit int) []int {
	composite := make([]bool, limit)
	var primes []int
	for n := 2; n < limit; n++ {
		if composite[n] {
			continue
		}
		primes = append(primes, n)
		for m := n * n; m < limit; m += n {
			composite[m] = true
		}
	}
	return primes
}
