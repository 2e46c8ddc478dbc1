package shop

import "strings"

// Slashes writes a path with slashes.
func Slashes(path string) string {
	return strings.Replace(path, `\`, "/", 1)
}

// Depth counts the folders above a file.
func Depth(path string) int {
	return strings.Count(Slashes(path), "/")
}
