"""Decide by the styles of a page what of it a browser shows."""
