"""What is verified: the git tree or folder, its private checkouts, and which of its files are policy."""
