"""Which test of base is which of the subject, and which is gone, new or replaced."""
