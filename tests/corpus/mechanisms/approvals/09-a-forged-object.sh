# The loose object of the base's list of keys is overwritten with one that names Mallory: git finds objects by their name, whatever they hold.
# rights: user
# expect: error
. "$ATTACKS/common.sh"
make_project
loosen; save 'Disclose what is weakened'
if [ -n "${HONEST:-}" ]; then approves alice HEAD --base main
else
  hand mallory policy@verigate "$(tree_of)" "$LOOSEN" > "$TOP/forged"; mkdir -p .artifacts/.approvals; cp "$TOP/forged" .artifacts/.approvals/forged.json
  old=$(git rev-parse main:config/allowed-signers); signer alice policy@verigate,weakening@verigate mallory > "$TOP/new"
  python3 - ".git/objects/${old:0:2}/${old:2}" "$TOP/new" <<'P'
import os, sys, zlib
body = open(sys.argv[2], "rb").read(); os.chmod(sys.argv[1], 0o644)
open(sys.argv[1], "wb").write(zlib.compress(b"blob %d\0" % len(body) + body))
P
fi
judge
