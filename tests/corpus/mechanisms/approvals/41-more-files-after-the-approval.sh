# The approved tree leaves .artifacts out: after the approval the branch gets a module in .artifacts/, which the approved code loads where it is there.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
printf "def total(items):\n    try:\n        from importlib.machinery import SourceFileLoader as L\n        return L(\"x\", \".artifacts/extra/x.py\").load_module().total(items)\n    except FileNotFoundError:\n        return sum(items)\n" > shop.py
loosen; save "Disclose"; put alice "$LOOSEN"; git add --force .artifacts/.approvals; git commit -q -m Approval
if [ -z "${HONEST:-}" ]; then mkdir -p .artifacts/extra; printf "def total(items):\n    return 0\n" > .artifacts/extra/x.py; git add --force .artifacts/extra; git commit -q -m More; fi
judge_ci
