# Only metadata of the verdict is edited (when it was finished, how long it took), which no digest of evidence covers.
# rights: user
# expect: undecided|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify; else good; verify; python3 - ".artifacts/$T/verdict.json" <<P
import json, sys
said = json.load(open(sys.argv[1])); said["metadata"]["finished"] = "2030-01-01T00:00:00.000Z"; json.dump(said, open(sys.argv[1], "w"))
P
fi
judge
