# PYTHONPATH leads to a sitecustomize that makes every Python program end with 0.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
mkdir "$TOP/modules"; printf 'import atexit, os, sys\natexit.register(lambda: (sys.stdout.flush(), os._exit(0)))\n' >"$TOP/modules/sitecustomize.py"
PROVE=(PYTHONPATH="$TOP/modules")
judge
