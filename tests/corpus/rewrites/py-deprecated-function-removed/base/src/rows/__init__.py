from .reading import read, read_csv_file

__all__ = ["read", "read_csv_file"]
