def merge(intervals):
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            first, last = merged.pop()
            merged.append((first, max(last, end)))
        else:
            merged.append((start, end))
    return merged
