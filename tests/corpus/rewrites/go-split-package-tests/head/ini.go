// Package ini reads sections of settings.
package ini

import (
	"fmt"
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
