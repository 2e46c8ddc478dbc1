package shop

import (
	"os"
	"path/filepath"
	"testing"
)

func folder(t *testing.T) string {
	t.Helper()
	root, ok := os.LookupEnv("SCRATCH_ROOT")
	if !ok {
		return t.TempDir()
	}
	return root
}

func TestBlanks(t *testing.T) {
	if got := FileName("a b"); got != "a_b.txt" {
		t.Error(got)
	}
}

func TestCanBeWritten(t *testing.T) {
	path := filepath.Join(folder(t), FileName("a/b"))
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Error(err)
	}
}
