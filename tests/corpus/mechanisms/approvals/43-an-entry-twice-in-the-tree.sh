# The tree of the commit has `config` twice: the first is as in the base, the second gutted; who reads the one and who checks out the other may differ.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then loosen; save; put alice "$LOOSEN"; carry
else
  good=$(git rev-parse HEAD:config); gut; git add --all; bad=$(git rev-parse "$(git write-tree):config"); git reset -q --hard
  tree=$(python3 - "$good" "$bad" <<P
import subprocess, sys
lines = subprocess.run(["git", "ls-tree", "HEAD"], capture_output=True, text=True).stdout.splitlines(); raw = b""
for line in lines:
    mode, kind, rest = line.split(" ", 2); name = rest.split("\t")[1]; ids = sys.argv[1:3] if name == "config" else [rest.split("\t")[0]]
    for one in ids: raw += mode.lstrip("0").encode() + b" " + name.encode() + b"\0" + bytes.fromhex(one)
print(subprocess.run(["git", "hash-object", "-w", "-t", "tree", "--literally", "--stdin"], input=raw, capture_output=True).stdout.decode().strip())
P
); git update-ref HEAD "$(git commit-tree "$tree" -p HEAD -m Work)"
fi
judge_ci
