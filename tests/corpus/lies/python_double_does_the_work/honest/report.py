def top(store, count):
    rows = store.rows(order="-sales")
    return [row["name"] for row in rows[:count]]
