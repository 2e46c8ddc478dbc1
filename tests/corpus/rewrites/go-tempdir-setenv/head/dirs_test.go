package appdirs

import (
	"os"
	"path/filepath"
	"testing"
)

func TestConfigHome(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", folder)
	got, err := Config("demo")
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(folder, "demo"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if info, err := os.Stat(got); err != nil || !info.IsDir() {
		t.Errorf("no folder: %v", err)
	}
}

func TestHome(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", "relative")
	t.Setenv("HOME", folder)
	got, err := Config("demo")
	if err != nil || got != filepath.Join(folder, ".config", "demo") {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestNoHome(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("HOME", "")
	if got, err := Config("demo"); err == nil {
		t.Errorf("got %s", got)
	}
}
