# A process in the background moves origin/main to a lax commit and back, many times a second, while the final call runs.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; loosen; save
    cp .git/refs/remotes/origin/main "$TOP/good"; git rev-parse HEAD >"$TOP/bad"
    (cd "$TOP/repo"; for _ in $(seq 4000); do cp "$TOP/bad" "$TOP/x"; mv "$TOP/x" .git/refs/remotes/origin/main; sleep 0.002; cp "$TOP/good" "$TOP/x"; mv "$TOP/x" .git/refs/remotes/origin/main; sleep 0.002; done) >/dev/null 2>&1 &
    trap 'kill $! 2>/dev/null || true' EXIT
else good_work; fi
cd "$TOP/repo"
clean gate verify --quiet --ref HEAD --base "$MAIN" --policy-ref origin/main
