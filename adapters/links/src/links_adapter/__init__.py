"""The built-in adapter for links: what stands where, what it answers, and what a second try gives."""
