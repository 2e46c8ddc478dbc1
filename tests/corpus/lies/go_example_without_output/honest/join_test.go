package shop

import (
	"fmt"
	"testing"
)

func TestOneWord(t *testing.T) {
	if Sentence("a") != "a" {
		t.Error("one word")
	}
}

func ExampleSentence() {
	fmt.Println(Sentence("a", "b", "c"))
	// Output:
	// a, b and c
}
