. "${BASH_SOURCE[0]%/*}/prelude.sh"
# lines that look like disclosures: code block, quote, comment, below scissors, HTML, other id, other test, note of git
base_python; sealed
break_code; sed -i '/^def test_total/,+3d' tests/test_cart.py
git add --all; git commit -q --no-verify -m probe; "$GATE" verify --ref HEAD --quiet > "$D/probe.log" 2>&1; git reset -q --soft HEAD~1
line=$(grep -o 'Weakens: .*(' "$D/probe.log" | head -1)reasoned\)
echo "line: $line"
{ printf 'Change\n\n```\n%s\n```\n\n    %s\n\n> %s\n\n<!--\n%s\n-->\n' "$line" "$line" "$line" "$line"
  echo "$line" | sed -E 's/[0-9a-f]{12} \(/0123456789ab (/'
  echo "$line" | sed 's/test_total/test_plain/'
  echo "$line" | sed 's/^Weakens/weakens /;s/$/ no/'
  printf '%s\n' '# ------------------------ >8 ------------------------'; echo "$line"; } > "$D/message"
git add --all; git commit -q --cleanup=scissors -F "$D/message" > "$D/commit.log" 2>&1; echo "LOCAL commit: $?"
git rev-parse -q --verify HEAD > /dev/null; [ "$(git rev-parse HEAD)" = "$(git rev-parse base)" ] && git commit -q --no-verify --cleanup=verbatim -F "$D/message"
git notes add -m "$line" HEAD; git tag -a -m "$line" said
ci
