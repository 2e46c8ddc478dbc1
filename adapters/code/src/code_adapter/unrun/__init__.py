"""Tests that base runs and the subject doesn't, though they are the same."""
