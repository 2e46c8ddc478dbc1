package toc

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRender(t *testing.T) {
	for name, headings := range map[string][]Heading{
		"flat":   {{1, "Install"}, {1, "First Steps"}, {1, "License"}},
		"nested": {{1, "Guide"}, {2, "Linux"}, {3, "From Source"}, {2, "Windows"}, {1, "License"}},
	} {
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join("testdata", name+".golden.md"))
			if err != nil {
				t.Fatal(err)
			}
			if got := Render(headings); got != string(want) {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

func TestRenderNothing(t *testing.T) {
	if got := Render(nil); got != "" {
		t.Errorf("got %q", got)
	}
}
