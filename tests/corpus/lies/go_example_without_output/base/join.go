package shop

import "strings"

// Sentence joins words as people do.
func Sentence(words ...string) string {
	return strings.Join(words, ", ")
}
