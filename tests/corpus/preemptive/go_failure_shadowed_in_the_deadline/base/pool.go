// Package shop runs calls side by side.
package shop

import (
	"fmt"
	"sync"
)

// Call answers for one key.
type Call func(key string) (string, error)

// Fetch asks for all keys with so many workers, and returns the answers in the order of the keys. If calls fail, it
// returns the error of the first of these keys, and no answer.
func Fetch(keys []string, workers int, call Call) ([]string, error) {
	if workers < 1 {
		return nil, fmt.Errorf("%d workers do no work", workers)
	}
	answers := make([]string, len(keys))
	errs := make([]error, len(keys))
	places := make(chan int)
	var group sync.WaitGroup
	for i := 0; i < workers; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for place := range places {
				answers[place], errs[place] = call(keys[place])
			}
		}()
	}
	for place := range keys {
		places <- place
	}
	close(places)
	group.Wait()
	for place, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", keys[place], err)
		}
	}
	return answers, nil
}
