# Verify what `git commit` is about to record. Every exit code but 0 blocks the commit.
# While git replays or searches commits that exist already, only its result counts: at the push and in CI.
folder=$(git rev-parse --absolute-git-dir 2>/dev/null) || folder=.git
for state in rebase-merge:rebase rebase-apply/rebasing:rebase BISECT_LOG:bisect; do
    if [ -e "$folder/${state%:*}" ]; then
        echo "verigate: not verified: a ${state#*:} is in progress; the hook pre-push and CI verify its result" >&2
        exit 0
    fi
done
run_gate git-hook pre-commit
