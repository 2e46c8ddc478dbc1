package shop

import "sort"

// Item is something for sale.
type Item struct {
	Name  string
	Price int
}

// ByPrice sorts the cheapest first.
func ByPrice(items []Item) []Item {
	sorted := append([]Item(nil), items...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].Name < sorted[j].Name })
	return sorted
}
