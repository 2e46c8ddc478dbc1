"""Settle what stands in the way of a first pass: one ordered ladder of offers for each capability, each one tried."""
