# verdict.json of the last verdict is edited by hand, with the gutted tree and its finding in place of the harmless ones, while the harmless change lies in the working tree.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
loosen; gate verify --quiet > /dev/null || true
if [ -z "${HONEST:-}" ]; then
  git stash -q; gut; git add --all; evil=$(git write-tree); git reset -q --hard; git stash pop -q
  old=$(git stash create); old=$(git rev-parse "$old^{tree}"); sed -i "s/$old/$evil/g; s/998fd9445fac/b177d2fe8b18/g" .artifacts/implicit/*.json
  python3 - <<P
import hashlib, json, os
folder = ".artifacts/implicit/"; index = json.load(open(folder + "artifacts.json"))
text = json.dumps(index)
def walk(o):
    if isinstance(o, dict):
        if "path" in o and "sha256" in o and os.path.exists(folder + o["path"]):
            b = open(folder + o["path"], "rb").read(); o["sha256"] = hashlib.sha256(b).hexdigest(); o["size"] = len(b) if "size" in o else o.get("size")
        for v in o.values(): walk(v)
    elif isinstance(o, list):
        for v in o: walk(v)
before = hashlib.sha256(open(folder + "artifacts.json", "rb").read()).hexdigest()
walk(index); open(folder + "artifacts.json", "w").write(json.dumps(index)); after = hashlib.sha256(open(folder + "artifacts.json", "rb").read()).hexdigest()
verdict = open(folder + "verdict.json").read().replace(before, after); open(folder + "verdict.json", "w").write(verdict)
P
fi
approves alice
[ -n "${HONEST:-}" ] || gut
git add config && git commit -q -m "Disclose"
judge
