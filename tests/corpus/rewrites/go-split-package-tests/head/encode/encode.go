// Package encode writes sections of settings.
package encode

import (
	"fmt"
	"sort"
	"strings"

	"example.org/ini"
)

// Encode writes a file, sorted.
func Encode(file ini.File) string {
	var out strings.Builder
	for _, section := range keys(file) {
		fmt.Fprintf(&out, "[%s]\n", section)
		for _, key := range keys(file[section]) {
			fmt.Fprintf(&out, "%s = %s\n", key, file[section][key])
		}
	}
	return out.String()
}

func keys[V any](m map[string]V) []string {
	found := make([]string, 0, len(m))
	for key := range m {
		found = append(found, key)
	}
	sort.Strings(found)
	return found
}
