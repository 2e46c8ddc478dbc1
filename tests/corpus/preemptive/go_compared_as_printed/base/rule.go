// Package shop reads the redirects of a shop that has moved.
package shop

import "strings"

// Rule sends requests elsewhere.
type Rule struct {
	From    string
	To      string
	Status  int
	Methods []string // all if there is none
	Subtree bool     // also for everything below From
}

// String is for logs.
func (r Rule) String() string {
	return r.From + " -> " + r.To
}

// Target returns where a request goes, and whether the rule is about it.
func (r Rule) Target(method, path string) (string, bool) {
	if !r.allows(method) {
		return "", false
	}
	if path == r.From {
		return r.To, true
	}
	if below := strings.TrimSuffix(r.From, "/") + "/"; r.Subtree && strings.HasPrefix(path, below) {
		return strings.TrimSuffix(r.To, "/") + "/" + path[len(below):], true
	}
	return "", false
}

func (r Rule) allows(method string) bool {
	for _, name := range r.Methods {
		if name == method {
			return true
		}
	}
	return len(r.Methods) == 0
}
