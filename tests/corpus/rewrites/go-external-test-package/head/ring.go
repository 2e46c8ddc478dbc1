// Package ring keeps the newest values.
package ring

// Ring keeps the newest values up to its size.
type Ring struct {
	size   int
	values []int
}

// New returns a ring for size values. It panics if size is below one.
func New(size int) *Ring {
	if size < 1 {
		panic("ring: size below one")
	}
	return &Ring{size: size}
}

// Add adds a value; of a full ring the oldest is dropped.
func (r *Ring) Add(value int) {
	if len(r.values) == r.size {
		r.values = append(r.values[:0], r.values[1:]...)
	}
	r.values = append(r.values, value)
}

// Values returns a copy of the values, oldest first.
func (r *Ring) Values() []int {
	return append([]int{}, r.values...)
}
