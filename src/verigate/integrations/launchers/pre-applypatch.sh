# Verify what `git am` is about to record: a patch that it has applied. Every exit code but 0 stops it.
folder=$(git rev-parse --absolute-git-dir 2>/dev/null) || folder=.git
if [ -e "$folder/rebase-apply/rebasing" ]; then
    echo 'verigate: not verified: a rebase is in progress; the hook pre-push and CI verify its result' >&2
    exit 0
fi
run_gate git-hook pre-applypatch
