// Package batch groups values.
package batch

import (
	"sync"
	"time"
)

// Batcher flushes values in groups, when one is full or old enough.
type Batcher struct {
	size  int
	age   time.Duration
	flush func([]string)

	mu     sync.Mutex
	values []string
	timer  *time.Timer
}

// New returns a batcher.
func New(size int, age time.Duration, flush func([]string)) *Batcher {
	return &Batcher{size: size, age: age, flush: flush}
}

// Add adds a value to the present group.
func (b *Batcher) Add(value string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.values = append(b.values, value)
	if len(b.values) == 1 {
		b.timer = time.AfterFunc(b.age, b.Flush)
	}
	if len(b.values) >= b.size {
		b.send()
	}
}

// Flush flushes what there is.
func (b *Batcher) Flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.send()
}

func (b *Batcher) send() {
	if len(b.values) == 0 {
		return
	}
	b.timer.Stop()
	values := b.values
	b.values = nil
	go b.flush(values)
}
