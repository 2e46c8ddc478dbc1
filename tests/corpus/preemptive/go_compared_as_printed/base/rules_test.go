package shop

import (
	"reflect"
	"testing"
)

func TestRead(t *testing.T) {
	got, err := Read("/tea /drinks/tea\n\n# moved in May\n/pots/* /kitchen/ 308\n/cart /basket get HEAD 302 # for now\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []Rule{
		{From: "/tea", To: "/drinks/tea", Status: 301},
		{From: "/pots/", To: "/kitchen/", Status: 308, Subtree: true},
		{From: "/cart", To: "/basket", Status: 302, Methods: []string{"GET", "HEAD"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v instead of %v", got, want)
	}
}

func TestReadOfNothing(t *testing.T) {
	got, err := Read("# nothing yet\n")
	if err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
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
