package shop

import "strings"

// Key returns what two spellings of a name have in common.
func Key(name string) string {
	words := strings.Fields(strings.ToLower(name))
	return strings.Join(words, " ")
}
