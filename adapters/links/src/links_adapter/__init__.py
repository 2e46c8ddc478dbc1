"""The built-in links adapter: discover links, check their status, retry failures."""
