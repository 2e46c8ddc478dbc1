// Package ini reads and writes sections of settings.
package ini

import (
	"fmt"
	"sort"
	"strings"
)

// File maps sections to settings.
type File map[string]map[string]string

// Decode reads a file.
func Decode(text string) (File, error) {
	file, section := File{}, ""
	for number, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, ";"):
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			section = line[1 : len(line)-1]
			file[section] = map[string]string{}
		default:
			key, value, found := strings.Cut(line, "=")
			if !found || file[section] == nil {
				return nil, fmt.Errorf("line %d: %q", number+1, line)
			}
			file[section][strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	return file, nil
}

// Encode writes a file, sorted.
func Encode(file File) string {
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
