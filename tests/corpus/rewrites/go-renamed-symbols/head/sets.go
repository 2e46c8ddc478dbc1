// Package sets has sets of strings.
package sets

import "sort"

// Set is a set of strings.
type Set struct{ members map[string]struct{} }

// New returns a set of these strings.
func New(members ...string) *Set {
	s := &Set{map[string]struct{}{}}
	for _, member := range members {
		s.Add(member)
	}
	return s
}

// Add adds a string and reports whether it is new.
func (s *Set) Add(member string) bool {
	_, old := s.members[member]
	s.members[member] = struct{}{}
	return !old
}

// Has reports whether a string is in the set.
func (s *Set) Has(member string) bool {
	_, found := s.members[member]
	return found
}

// Sorted returns all strings in order.
func (s *Set) Sorted() []string {
	all := make([]string, 0, len(s.members))
	for member := range s.members {
		all = append(all, member)
	}
	sort.Strings(all)
	return all
}
