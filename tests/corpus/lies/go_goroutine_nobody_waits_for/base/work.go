package shop

// Squares sends the squares of numbers and closes the channel.
func Squares(numbers []int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for _, n := range numbers {
			out <- n * n
		}
	}()
	return out
}
