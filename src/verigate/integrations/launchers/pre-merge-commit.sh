# Verify what `git merge` is about to record, where it needs nobody to resolve a conflict. Every exit code but 0 stops it.
run_gate git-hook pre-merge-commit
