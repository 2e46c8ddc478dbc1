# Of the failed bundle the statements are rewritten to those of a pass, one envelope with no signature, one with a signature of an empty text, beside an honest line of the commit before.
# rights: none
# expect: error|fail
. "$ATTACKS/common.sh"
make_project
ci_key
good; verify; attest; cp "$(bundle)" "$TOP/bundle"
if [ -z "${HONEST:-}" ]; then old=$(git rev-parse HEAD) tree=$(git rev-parse "HEAD^{tree}"); bad; python3 - "$TOP/bundle" "$old" "$(git rev-parse HEAD)" "$tree" "$(git rev-parse "HEAD^{tree}")" <<P
import base64, json, sys
path, old, new, tree, other = sys.argv[1:]; lines = [json.loads(line) for line in open(path)]
for number, line in enumerate(lines):
    line["payload"] = base64.b64encode(base64.b64decode(line["payload"]).decode().replace(old, new).replace(tree, other).encode()).decode()
    line["signatures"] = [] if number == 0 else [{**line["signatures"][0], "sig": ""}]
open(path, "w").write("\n".join(map(json.dumps, lines)))
P
fi
elsewhere
reader attest verify "$TOP/bundle" --key "$KEYS/ci.pub"
