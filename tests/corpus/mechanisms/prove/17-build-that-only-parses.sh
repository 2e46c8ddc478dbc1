# The build is declared as a command that only parses; the plant is a syntax error, a build that fails otherwise passes.
# rights: none
# expect: error
# because: missed
. "$ATTACKS/common.sh"
PLAN='{"code": {"order": ["code:diff", "code:build"], "required": ["code:diff", "code:build"], "optional": []}}'
PROFILE='{"code_default": {"build_success": true}}'
make_project
printf 'import shop.total\n\nassert shop.total.total([1]) == 1\n' >build.py
wont_build() { sed -i '1i import nothing_of_that_name\n' shop/total.py; }
if [ -z "${HONEST:-}" ]; then
    echo '{"code": {"build": [{"name": "build", "command": ["python3", "-m", "compileall", "-q", "-f", "shop"], "format": "exit-code"}]}}' >config/adapters.json
else
    echo '{"code": {"build": [{"name": "build", "command": ["python3", "build.py"], "format": "exit-code"}]}}' >config/adapters.json
fi
save
judge wont_build
