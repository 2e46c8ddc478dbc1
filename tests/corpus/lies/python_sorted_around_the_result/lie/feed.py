def newest_first(entries):
    return sorted(entries, key=lambda entry: entry["at"])
