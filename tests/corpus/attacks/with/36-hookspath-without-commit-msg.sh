. "${BASH_SOURCE[0]%/*}/prelude.sh"
# core.hooksPath by the environment: pre-commit as installed, commit-msg only looks like the gate's
base_python; sealed
mkdir "$D/hooks"; cp .git/hooks/pre-commit "$D/hooks/"; { head -1 .git/hooks/commit-msg; echo 'exit 0'; tail -n +2 .git/hooks/commit-msg; } > "$D/hooks/commit-msg"; chmod +x "$D/hooks/commit-msg"
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0="$D/hooks"
break_code; sed -i 's/== 90/in (90, 110)/' tests/test_cart.py
commit -m 'Change the discount'
unset GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0
ci
