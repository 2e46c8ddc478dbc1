// Package sets has sets of strings.
package sets

import "sort"

// StringSetBuilder is a set of strings.
type StringSetBuilder struct{ members map[string]struct{} }

// NewStringSetBuilder returns a set of these strings.
func NewStringSetBuilder(members ...string) *StringSetBuilder {
	s := &StringSetBuilder{map[string]struct{}{}}
	for _, member := range members {
		s.InsertString(member)
	}
	return s
}

// InsertString adds a string and reports whether it is new.
func (s *StringSetBuilder) InsertString(member string) bool {
	_, old := s.members[member]
	s.members[member] = struct{}{}
	return !old
}

// ContainsString reports whether a string is in the set.
func (s *StringSetBuilder) ContainsString(member string) bool {
	_, found := s.members[member]
	return found
}

// Sorted returns all strings in order.
func (s *StringSetBuilder) Sorted() []string {
	all := make([]string, 0, len(s.members))
	for member := range s.members {
		all = append(all, member)
	}
	sort.Strings(all)
	return all
}
