package shop

import "strings"

// Clean removes white space at both ends.
func Clean(text string) string {
	return strings.TrimSpace(text)
}
