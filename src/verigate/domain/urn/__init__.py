"""Tagged URNs: their text, what they match, and which capability may serve a request."""
