"""Words -> a capability of a tool and what fills its slots, without a model and without a network."""
