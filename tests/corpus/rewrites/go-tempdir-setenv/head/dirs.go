// Package appdirs finds where an application keeps its files.
package appdirs

import (
	"errors"
	"os"
	"path/filepath"
)

// Config returns the folder for the application's settings and makes it if it isn't there.
func Config(app string) (string, error) {
	base := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		home := os.Getenv("HOME")
		if home == "" {
			return "", errors.New("appdirs: no home")
		}
		base = filepath.Join(home, ".config")
	}
	folder := filepath.Join(base, app)
	return folder, os.MkdirAll(folder, 0o700)
}
