"""Prove that each active rule of a profile stops a violation of it that is planted on purpose."""
