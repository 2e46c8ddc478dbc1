package shop

import "strings"

// Key returns what two spellings of a name have in common.
func Key(name string) string {
	return strings.ToLower(strings.TrimSpace(name))
}
