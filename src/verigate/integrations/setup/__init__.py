"""What a repository is made of, and the files that ``gate init`` writes for it."""
