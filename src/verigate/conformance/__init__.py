"""The conformance kit: call an adapter in many ways, and compare what it does with the contract."""
