# A package pytest in the root of the change: a runner that is started as a module with the work tree on its path imports it instead of the real one.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; mkdir pytest _pytest; printf 'def main(*a, **k):\n    return 0\n\n\ndef console_main():\n    return 0\n' >pytest/__init__.py
    printf 'import sys\n\nsys.exit(0)\n' >pytest/__main__.py; : >_pytest/__init__.py; save
else good_work; fi
judge
