"""Route a plain-English request to a tool's capability and fill its slots, without a model or a network."""
