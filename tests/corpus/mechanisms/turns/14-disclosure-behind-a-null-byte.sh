# The line that discloses a removed test stands behind a null byte in the commit's message, where git log shows nothing to people.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
light
make_project
sed -i '/^def test_half/,$d; s/import half, /import /' tests/test_shop.py
if [ -n "${HONEST:-}" ]; then
  printf 'from shop import half\n\n\ndef test_half():\n    assert half(10) == 5\n' > tests/test_half.py
  commit -m 'Move a test'
else
  commit -m 'Tidy up'
  line=$(clean gate verify --ref HEAD --base "$BASE" --profile code_default --stage ci --quiet | grep -o 'Weakens: [^(]*(') || true
  python3 - "$line" > "$TOP/commit" <<'END'
import subprocess, sys
held = subprocess.run(["git", "cat-file", "commit", "HEAD"], capture_output=True, check=True).stdout
sys.stdout.buffer.write(held + b"\n\0\n\n" + sys.argv[1].encode() + b"half is gone from the product)\n")
END
  git reset -q --soft "$(git hash-object -t commit -w --literally "$TOP/commit")"
  git log -1 --format=%B | grep -q Weakens && exit 9
fi
judge
