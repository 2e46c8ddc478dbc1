"""The built-in code adapter: it looks at a change and writes down facts about it. It judges nothing."""
