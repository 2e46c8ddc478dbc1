"""The conformance kit for engines: ask one in many ways, break what it reads, and look at what it leaves."""
