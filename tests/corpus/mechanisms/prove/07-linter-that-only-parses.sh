# The declared linter finds syntax errors and nothing else; the plant for the lint rules is a syntax error.
# rights: none
# expect: error
# because: missed
. "$ATTACKS/common.sh"
PLAN='{"code": {"order": ["code:diff", "code:lint"], "required": ["code:diff", "code:lint"], "optional": []}}'
PROFILE='{"code_default": {"lint_errors_max": 0}}'
make_project
unused() { sed -i '1i import os\n' shop/total.py; }
if [ -z "${HONEST:-}" ]; then
    echo '{"code": {"lint": [{"name": "lint", "command": ["python3", "-m", "compileall", "-q", "-f", "shop", "tests"], "format": "exit-code"}]}}' >config/adapters.json
fi
save
judge unused
