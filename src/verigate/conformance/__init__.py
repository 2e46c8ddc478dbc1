"""The conformance kit: an adapter is called in many ways, and what it does is held against the contract."""
