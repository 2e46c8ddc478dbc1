package shop

// Primes returns the primes below limit.
func Primes(limit int) []int {
	var primes []int
	for n := 2; n < limit; n++ {
		prime := true
		for _, p := range primes {
			if n%p == 0 {
				prime = false
			}
		}
		if prime {
			primes = append(primes, n)
		}
	}
	return primes
}
