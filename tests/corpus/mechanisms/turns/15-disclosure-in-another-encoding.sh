# The commit says that its message is in UTF-7, so that the line that discloses a removed test is read by programs and not by people who look at the raw text.
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
import base64, subprocess, sys
held = subprocess.run(["git", "cat-file", "commit", "HEAD"], capture_output=True, check=True).stdout
head, _, text = held.partition(b"\n\n")
hidden = base64.b64encode((sys.argv[1] + "half is gone from the product)").encode("utf-16-be")).rstrip(b"=")
sys.stdout.buffer.write(head + b"\nencoding UTF-7\n\n" + text + b"\n+" + hidden + b"-\n")
END
  git reset -q --soft "$(git hash-object -t commit -w "$TOP/commit")"
fi
judge
