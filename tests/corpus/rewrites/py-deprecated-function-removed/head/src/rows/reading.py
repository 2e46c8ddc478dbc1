import csv


def read(lines, delimiter=","):
    """Yield a dictionary for each row; the first row names the columns."""
    table = csv.reader(lines, delimiter=delimiter)
    try:
        names = next(table)
    except StopIteration:
        raise ValueError("no header") from None
    for number, row in enumerate(table, start=2):
        if len(row) != len(names):
            raise ValueError(f"line {number}: {len(row)} of {len(names)} columns")
        yield dict(zip(names, row))
