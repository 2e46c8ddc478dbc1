"""Whether the tests still notice what they noticed."""
