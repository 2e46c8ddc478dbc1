package shop

import (
	"fmt"
	"testing"
)

// same compares two lists of rules one by one, so that a failure shows the rules that differ and no others.
func same(t *testing.T, got, want []Rule) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d rules instead of %d", len(got), len(want))
	}
	for i := range want {
		if g, w := fmt.Sprintf("%#v", got[i]), fmt.Sprintf("%#v", want[i]); g != w {
			t.Errorf("rule %d:\n got %s\nwant %s", i+1, g, w)
		}
	}
}

func TestRead(t *testing.T) {
	got, err := Read("/tea /drinks/tea\n\n# moved in May\n/pots/* /kitchen/ 308\n/cart /basket get HEAD 302 # for now\n")
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, []Rule{
		{From: "/tea", To: "/drinks/tea", Status: 301},
		{From: "/pots/", To: "/kitchen/", Status: 308, Subtree: true},
		{From: "/cart", To: "/basket", Status: 302, Methods: []string{"GET", "HEAD"}},
	})
}

func TestReadOfNothing(t *testing.T) {
	got, err := Read("# nothing yet\n")
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, nil)
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"/tea\n":        "line 1: where does /tea go?",
		"\n/tea /x 200": "line 2: 200 is no redirect",
	} {
		if _, err := Read(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v instead of %s", text, err, want)
		}
	}
}

func TestTarget(t *testing.T) {
	pots := Rule{From: "/pots/", To: "/kitchen/", Subtree: true, Methods: []string{"GET"}}
	for path, want := range map[string]string{"/pots/": "/kitchen/", "/pots/red": "/kitchen/red", "/potsdam": ""} {
		if got, found := pots.Target("GET", path); got != want || found != (want != "") {
			t.Errorf("%s: %q instead of %q", path, got, want)
		}
	}
	if got, found := pots.Target("POST", "/pots/"); found {
		t.Errorf("POST goes to %s", got)
	}
}
