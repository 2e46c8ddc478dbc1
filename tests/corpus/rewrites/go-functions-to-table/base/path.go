// Package webpath cleans the paths of URLs.
package webpath

import "strings"

// Clean returns the shortest path that means the same; it always begins with a slash.
func Clean(path string) string {
	var kept []string
	for _, part := range strings.Split(path, "/") {
		switch part {
		case "", ".":
		case "..":
			if len(kept) > 0 {
				kept = kept[:len(kept)-1]
			}
		default:
			kept = append(kept, part)
		}
	}
	cleaned := "/" + strings.Join(kept, "/")
	if len(kept) > 0 && strings.HasSuffix(path, "/") {
		cleaned += "/"
	}
	return cleaned
}
