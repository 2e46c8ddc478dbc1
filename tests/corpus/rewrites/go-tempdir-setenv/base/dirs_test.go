package appdirs

import (
	"io/ioutil"
	"os"
	"path/filepath"
	"testing"
)

func setenv(name, value string) func() {
	old := os.Getenv(name)
	os.Setenv(name, value)
	return func() { os.Setenv(name, old) }
}

func TestConfigHome(t *testing.T) {
	folder, err := ioutil.TempDir("", "appdirs")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	defer setenv("XDG_CONFIG_HOME", folder)()
	got, err := Config("demo")
	if err != nil {
		t.Fatal(err)
	}
	if got != filepath.Join(folder, "demo") {
		t.Errorf("got %s", got)
	}
	if info, err := os.Stat(got); err != nil || !info.IsDir() {
		t.Errorf("no folder: %v", err)
	}
}

func TestHome(t *testing.T) {
	folder, err := ioutil.TempDir("", "appdirs")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	defer setenv("XDG_CONFIG_HOME", "relative")()
	defer setenv("HOME", folder)()
	got, err := Config("demo")
	if err != nil || got != filepath.Join(folder, ".config", "demo") {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestNoHome(t *testing.T) {
	defer setenv("XDG_CONFIG_HOME", "")()
	defer setenv("HOME", "")()
	if got, err := Config("demo"); err == nil {
		t.Errorf("got %s", got)
	}
}
