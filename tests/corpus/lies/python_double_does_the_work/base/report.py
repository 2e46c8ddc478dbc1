def top(store, count):
    return [row["name"] for row in store.rows(order="-sales")][:count]
