# The final call runs in a linked worktree whose own config turns refs and settings around (extensions.worktreeConfig, refs per worktree).
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then break_code; loosen; save; else good_work; fi
git worktree add -q --detach "$TOP/tree" HEAD
if [ -z "${HONEST:-}" ]; then
    git config extensions.worktreeConfig true
    folder=$(git -C "$TOP/tree" rev-parse --absolute-git-dir)
    mkdir -p "$folder/refs/remotes/origin" "$folder/origin"; git rev-parse HEAD | tee "$folder/refs/remotes/origin/main" >"$folder/origin/main"
    git -C "$TOP/tree" config --worktree core.hooksPath /dev/null
fi
cd "$TOP/tree"
clean gate verify --quiet --ref HEAD --base "$MAIN" --policy-ref origin/main
