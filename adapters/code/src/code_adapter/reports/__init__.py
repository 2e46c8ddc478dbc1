"""Readers of the tools' machine-readable reports. Each is bounded and refuses what doesn't add up."""
