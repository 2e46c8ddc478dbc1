# Verify what `git commit` is about to record. Every exit code but 0 blocks the commit.
run_gate verify --staged
