def mean(numbers):
    numbers = list(numbers)
    if not numbers:
        raise ValueError("mean of nothing")
    return sum(numbers) / len(numbers)


def median(numbers):
    ordered = sorted(numbers)
    if not ordered:
        raise ValueError("median of nothing")
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2
