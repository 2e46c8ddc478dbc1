package shop

import (
	"fmt"
	"strings"
)

// Items renders a list.
func Items(items []string) string {
	var out strings.Builder
	for i, item := range items {
		fmt.Fprintf(&out, "%d. %s\n", i+1, item)
	}
	return out.String()
}
