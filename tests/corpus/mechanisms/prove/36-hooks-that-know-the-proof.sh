# Hooks of a template and of core.hooksPath write a strict command into any folder that git works in while a proof runs.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
mkdir -p "$TOP/template/hooks" "$TOP/hooks"
for hook in post-checkout post-index-change reference-transaction pre-commit post-commit; do
    { echo '#!/bin/bash'; echo "$proving"; printf 'if proving; then top=$(git rev-parse --show-toplevel 2>/dev/null || pwd); for d in "$top" . "$GIT_WORK_TREE"; do test ! -f "$d/check.sh" || echo "%s" >"$d/check.sh"; done; fi\nexit 0\n' "$strict"; } >"$TOP/hooks/$hook"
    chmod +x "$TOP/hooks/$hook"; cp "$TOP/hooks/$hook" "$TOP/template/hooks/$hook"
done
before_the_proof() {
    printf '[core]\n\thooksPath = %s\n[init]\n\ttemplateDir = %s\n' "$TOP/hooks" "$TOP/template" >"$HOME/more"
    git config --global includeIf.gitdir:/.path "$HOME/more"; git config --global include.path "$HOME/more"
}
judge
