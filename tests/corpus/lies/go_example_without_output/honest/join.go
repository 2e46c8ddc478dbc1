package shop

import "strings"

// Sentence joins words as people do.
func Sentence(words ...string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
