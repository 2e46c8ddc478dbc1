"""Git hooks: install, find and describe them, also where another tool manages them."""
