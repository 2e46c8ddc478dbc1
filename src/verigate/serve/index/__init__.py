"""The index: an SQLite file of what all tasks show, made from ``.artifacts``, and safe to delete."""
