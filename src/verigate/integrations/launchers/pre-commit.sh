# What `git commit` is about to record must hold. Every exit code but 0 blocks the commit.
run_gate verify --staged
