package toc

import "testing"

func TestRenderFlat(t *testing.T) {
	want := "- [Install](#install)\n- [First Steps](#first-steps)\n- [License](#license)\n"
	if got := Render([]Heading{{1, "Install"}, {1, "First Steps"}, {1, "License"}}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestRenderNested(t *testing.T) {
	want := `- [Guide](#guide)
  - [Linux](#linux)
    - [From Source](#from-source)
  - [Windows](#windows)
- [License](#license)
`
	got := Render([]Heading{{1, "Guide"}, {2, "Linux"}, {3, "From Source"}, {2, "Windows"}, {1, "License"}})
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestRenderNothing(t *testing.T) {
	if got := Render(nil); got != "" {
		t.Errorf("got %q", got)
	}
}
