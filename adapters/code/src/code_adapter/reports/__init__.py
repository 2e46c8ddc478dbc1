"""Parse machine-readable reports of tools, bounded; inconsistent reports are rejected."""
