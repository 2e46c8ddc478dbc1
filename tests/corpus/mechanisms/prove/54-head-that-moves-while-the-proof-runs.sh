# HEAD is put on a strict commit as soon as the first plant is tried.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
cp -a "$TOP/repo" "$TOP/strict"; (cd "$TOP/strict"; honest_runner; git add --all; git commit -q --allow-empty -m Strict)
git fetch -q "$TOP/strict" HEAD; strict_one=$(git rev-parse FETCH_HEAD)
if [ -z "${HONEST:-}" ]; then
    clean() { if [ "$*" = "gate doctor --prove" ]; then env -i PATH="$PATH" HOME="$HOME" TMPDIR="$TMPDIR" LANG=C.UTF-8 "$@" 2> >(read -r _; git update-ref refs/heads/main "$strict_one"; cat >/dev/null); else env -i PATH="$PATH" HOME="$HOME" TMPDIR="$TMPDIR" LANG=C.UTF-8 "$@"; fi; }
fi
judge
