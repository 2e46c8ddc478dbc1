package shop

import "strings"

// FileName makes a name that any file system takes.
func FileName(title string) string {
	return strings.NewReplacer(" ", "_", "/", "_").Replace(title) + ".txt"
}
