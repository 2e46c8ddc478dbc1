"""Servers that speak the Remote Execution API v2: what is sent to them, and what of their answers counts."""
