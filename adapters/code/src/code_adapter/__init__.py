"""The built-in code adapter: write facts about a change, without judging it."""
