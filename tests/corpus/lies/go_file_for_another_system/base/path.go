package shop

import "strings"

// Slashes writes a path with slashes.
func Slashes(path string) string {
	return strings.ReplaceAll(path, `\`, "/")
}

// Depth counts the folders above a file.
func Depth(path string) int {
	return strings.Count(Slashes(path), "/")
}
