package shop

// Total adds up prices in cents.
func Total(prices []int) int {
	sum := 0
	for i := 0; i < len(prices)-1; i++ {
		sum += prices[i]
	}
	return sum
}
