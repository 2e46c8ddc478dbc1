package webpath

import "testing"

func TestCleanEmpty(t *testing.T) {
	if got := Clean(""); got != "/" {
		t.Errorf("got %q", got)
	}
}

func TestCleanRoot(t *testing.T) {
	if got := Clean("/"); got != "/" {
		t.Errorf("got %q", got)
	}
}

func TestCleanRelative(t *testing.T) {
	if got := Clean("a"); got != "/a" {
		t.Errorf("got %q", got)
	}
}

func TestCleanTrailingSlash(t *testing.T) {
	if got := Clean("/a/b/"); got != "/a/b/" {
		t.Errorf("got %q", got)
	}
}

func TestCleanDoubleSlash(t *testing.T) {
	if got := Clean("//a///b"); got != "/a/b" {
		t.Errorf("got %q", got)
	}
}

func TestCleanDots(t *testing.T) {
	if got := Clean("/a/./b/../c"); got != "/a/c" {
		t.Errorf("got %q", got)
	}
}

func TestCleanAboveRoot(t *testing.T) {
	if got := Clean("/../../a"); got != "/a" {
		t.Errorf("got %q", got)
	}
}
