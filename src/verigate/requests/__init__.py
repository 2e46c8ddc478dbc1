"""From a plain-English request to a tool's command: capability and slots, without a model and without a network."""
