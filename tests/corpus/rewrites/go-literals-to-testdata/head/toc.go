// Package toc renders tables of contents.
package toc

import (
	"fmt"
	"strings"
)

// Heading is a heading of a document; Level is 1 or more.
type Heading struct {
	Level int
	Text  string
}

// Render returns nested lists of links.
func Render(headings []Heading) string {
	var out strings.Builder
	for _, heading := range headings {
		fmt.Fprintf(&out, "%s- [%s](#%s)\n", strings.Repeat("  ", heading.Level-1), heading.Text, anchor(heading.Text))
	}
	return out.String()
}

func anchor(text string) string {
	return strings.ReplaceAll(strings.ToLower(text), " ", "-")
}
