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
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Price < sorted[j].Price })
	return sorted
}
