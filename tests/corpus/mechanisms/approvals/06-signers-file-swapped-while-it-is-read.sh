# A process in the background puts Mallory's key in the place of Alice's into the file below TMPDIR that the gate writes for ssh-keygen, as soon as it is there.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
loosen; save 'Disclose what is weakened'
if [ -n "${HONEST:-}" ]; then approves alice HEAD --base main
else
  hand mallory policy@verigate "$(tree_of)" "$LOOSEN" > "$TOP/forged"; mkdir -p .artifacts/.approvals; cp "$TOP/forged" .artifacts/.approvals/forged.json
  cat > "$TOP/swap.py" <<'P'
import os, sys, time
old, new = (open(f"{sys.argv[1]}/{who}.pub").read().split()[1] for who in ("alice", "mallory"))
end = time.time() + 40
while time.time() < end:
    for name in os.listdir(os.environ["TMPDIR"]):
        if name.startswith("verigate-approval-"):
            path = f"{os.environ['TMPDIR']}/{name}/allowed-signers"
            try:
                text = open(path).read()
                if old in text:
                    with open(path, "r+") as file: file.write(text.replace(old, new))
                    open(sys.argv[2], "a").write(path + "\n")
            except OSError: pass
P
  python3 "$TOP/swap.py" "$KEYS" "$TOP/swapped" & watcher=$!
  trap 'kill $watcher 2>/dev/null || true; cat "$TOP/swapped" 2>/dev/null || true' EXIT
fi
judge
