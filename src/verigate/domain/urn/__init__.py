"""Tagged URNs: parse and format them, match them, and find the capabilities that can serve a request."""
