package shop

import "sync"

// Cache remembers answers, and asks once for each key even if many ask at the same time.
type Cache struct {
	call    Call
	lock    sync.Mutex
	entries map[string]*entry
}

type entry struct {
	once   sync.Once
	answer string
	err    error
}

// NewCache returns a cache with nothing in it.
func NewCache(call Call) *Cache {
	return &Cache{call: call, entries: map[string]*entry{}}
}

// Get returns the answer for a key. An error is not remembered.
func (c *Cache) Get(key string) (string, error) {
	c.lock.Lock()
	found, ok := c.entries[key]
	if !ok {
		found = &entry{}
		c.entries[key] = found
	}
	c.lock.Unlock()
	found.once.Do(func() { found.answer, found.err = c.call(key) })
	if found.err != nil {
		c.forget(key, found)
	}
	return found.answer, found.err
}

func (c *Cache) forget(key string, old *entry) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.entries[key] == old {
		delete(c.entries, key)
	}
}
