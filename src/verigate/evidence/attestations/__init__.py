"""Attestations that other programs read: statements of in-toto about a verdict, in signed DSSE envelopes."""
