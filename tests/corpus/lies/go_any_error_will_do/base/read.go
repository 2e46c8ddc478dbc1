package shop

import (
	"errors"
	"fmt"
	"strconv"
)

// ErrAmount is a number that is no amount.
var ErrAmount = errors.New("no amount")

// Amount reads an amount in cents.
func Amount(text string) (int, error) {
	amount, err := strconv.Atoi(text)
	if err != nil || amount < 0 {
		return 0, fmt.Errorf("%q: %w", text, ErrAmount)
	}
	return amount, nil
}
