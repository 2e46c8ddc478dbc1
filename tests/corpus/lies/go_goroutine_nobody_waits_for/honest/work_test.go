package shop

import "testing"

func TestSquares(t *testing.T) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		sum := 0
		for n := range Squares([]int{1, 2, 3}) {
			sum += n
		}
		if sum != 14 {
			t.Errorf("sum is %d", sum)
		}
	}()
	<-done
}

func TestNoNumbers(t *testing.T) {
	if n, ok := <-Squares(nil); ok {
		t.Error(n)
	}
}
