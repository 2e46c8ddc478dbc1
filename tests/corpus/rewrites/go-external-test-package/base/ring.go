// Package ring keeps the newest values.
package ring

// Ring keeps the newest values up to its size.
type Ring struct {
	buf   []int
	start int
	count int
}

// New returns a ring for size values. It panics if size is below one.
func New(size int) *Ring {
	if size < 1 {
		panic("ring: size below one")
	}
	return &Ring{buf: make([]int, size)}
}

// Add adds a value; of a full ring the oldest is dropped.
func (r *Ring) Add(value int) {
	if r.count < len(r.buf) {
		r.buf[(r.start+r.count)%len(r.buf)] = value
		r.count++
		return
	}
	r.buf[r.start] = value
	r.start = (r.start + 1) % len(r.buf)
}

// Values returns the values, oldest first.
func (r *Ring) Values() []int {
	values := make([]int, 0, r.count)
	for i := 0; i < r.count; i++ {
		values = append(values, r.buf[(r.start+i)%len(r.buf)])
	}
	return values
}
