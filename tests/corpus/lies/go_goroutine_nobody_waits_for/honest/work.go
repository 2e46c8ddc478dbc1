package shop

// Squares sends the squares of numbers and closes the channel.
func Squares(numbers []int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for len(numbers) > 0 {
			out <- numbers[0] * numbers[0]
			numbers = numbers[1:]
		}
	}()
	return out
}
