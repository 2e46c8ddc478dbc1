# Where a commit names a task, its messages are no claims; the change brings a task that promises nothing, and its message lies.
# rights: none
# expect: fail
. "$ATTACKS/common.sh"
light; PROFILE='{ "code_default": { "units_match": true, "integrity": true, "weakening": "disclose", "statements": "require" } }'
make_project
if [ -n "${HONEST:-}" ]; then echo '# Prices' > prices.md; commit -m 'docs: describe prices'; else
  clean gate start small > /dev/null; echo 'RATE = 3' >> shop/__init__.py; clean gate claim small file:shop/__init__.py > /dev/null; commit -m 'docs: describe prices' -m 'Gate-Task: small'
fi
judge
