# The tree has two entries of the same name, the good file and the broken one; git takes the one and the gate perhaps the other.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  sed -i 's#price / 2#price / 3#' shop/__init__.py; commit -m 'Tidy up'
  python3 - "$BASE" > "$TOP/trees" <<'END'
import hashlib, subprocess, sys
def get(name): return subprocess.run(["git", "cat-file", "tree", name], capture_output=True, check=True).stdout
def put(data):
    return subprocess.run(["git", "hash-object", "-t", "tree", "-w", "--stdin", "--literally"], input=data, capture_output=True, check=True).stdout.decode().strip()
good, bad = get(sys.argv[1] + ":shop"), get("HEAD:shop")
inner = put(good + bad)
top = get("HEAD^{tree}"); at = top.index(b"40000 shop\0") + 11
print(put(top[:at] + bytes.fromhex(inner) + top[at + 20 :]))
END
  git update-ref refs/heads/topic "$(git commit-tree -m 'Tidy up' -p "$BASE" "$(cat "$TOP/trees")")"
fi
judge
