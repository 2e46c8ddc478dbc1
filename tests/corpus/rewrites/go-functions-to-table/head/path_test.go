package webpath

import "testing"

func TestClean(t *testing.T) {
	tests := []struct {
		name, path, want string
	}{
		{"empty", "", "/"},
		{"root", "/", "/"},
		{"relative", "a", "/a"},
		{"trailing slash", "/a/b/", "/a/b/"},
		{"double slash", "//a///b", "/a/b"},
		{"dots", "/a/./b/../c", "/a/c"},
		{"above root", "/../../a", "/a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Clean(tt.path); got != tt.want {
				t.Errorf("Clean(%q) = %q, want %q", tt.path, got, tt.want)
			}
		})
	}
}
