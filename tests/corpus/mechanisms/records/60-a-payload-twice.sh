# An envelope has `payload` twice: the one that CI signed, for the commit before, and the rewritten one for the bad commit, in both orders.
# rights: none
# expect: error|fail
. "$ATTACKS/common.sh"
make_project
ci_key
good; verify; attest; cp "$(bundle)" "$TOP/bundle"
if [ -z "${HONEST:-}" ]; then old=$(git rev-parse HEAD) tree=$(git rev-parse "HEAD^{tree}"); bad; python3 - "$TOP/bundle" "$old" "$(git rev-parse HEAD)" "$tree" "$(git rev-parse "HEAD^{tree}")" <<P
import base64, json, sys
path, old, new, tree, other = sys.argv[1:]; out = []
for number, text in enumerate(open(path)):
    line = json.loads(text); evil = base64.b64encode(base64.b64decode(line["payload"]).decode().replace(old, new).replace(tree, other).encode()).decode(); text = json.dumps(line)
    out.append("{\"payload\": \"%s\", %s" % (evil, text[1:]) if number else "%s, \"payload\": \"%s\"}" % (text[:-1], evil))
open(path, "w").write("\n".join(out))
P
fi
elsewhere
reader attest verify "$TOP/bundle" --key "$KEYS/ci.pub"
