package shop

import "fmt"

// Lookup returns the value of a key.
func Lookup(values map[string]string, key string) (string, error) {
	value, ok := values[key]
	if !ok {
		return "", fmt.Errorf("no key %s", key)
	}
	return value, nil
}
