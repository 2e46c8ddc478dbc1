package shop

import (
	"errors"
	"testing"
)

func TestAmount(t *testing.T) {
	if got, err := Amount("5"); got != 5 || err != nil {
		t.Error(got, err)
	}
}

func TestNoAmount(t *testing.T) {
	_, err := Amount("x")
	if err == nil || errors.Is(err, nil) {
		t.Errorf("got %v", err)
	}
}
