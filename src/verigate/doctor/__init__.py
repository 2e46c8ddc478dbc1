"""Look at this machine and this repository: what is there, what is missing, and what to do about it."""
