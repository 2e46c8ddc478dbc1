package shop

// Tx is a transaction of a store.
type Tx interface {
	Put(key, value string)
	Commit()
}

// Save puts a pair into the store for good.
func Save(tx Tx, key, value string) {
	if key == "" {
		return
	}
	tx.Put(key, value)
	tx.Commit()
}
