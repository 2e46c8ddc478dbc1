package shop

// Primes returns the primes below limit.
func Primes(limit int) []int {
	var primes []int
	for n := 2; n < limit; n++ {
		if n == 2 || n == 3 || n%2 != 0 && n%3 != 0 {
			primes = append(primes, n)
		}
	}
	return primes
}
