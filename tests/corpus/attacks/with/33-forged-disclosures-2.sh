. "${BASH_SOURCE[0]%/*}/prelude.sh"
# as 20, without the HTML comment, which commits don't know
base_python; sealed
break_code; sed -i '/^def test_total/,+3d' tests/test_cart.py
git add --all; git commit -q --no-verify -m probe; "$GATE" verify --ref HEAD --quiet > "$D/probe.log" 2>&1; git reset -q --soft HEAD~1
line=$(grep -o 'Weakens: .*(' "$D/probe.log" | head -1)reasoned\)
{ printf 'Change\n\n```\n%s\n```\n\n    %s\n\n> %s\n\n~~~text\n%s\n~~~\n\n- %s\n' "$line" "$line" "$line" "$line" "$line"
  echo "$line" | sed -E 's/[0-9a-f]{12} \(/0123456789ab (/'
  echo "$line" | sed 's/test_total/test_plain/'
  echo "$line" | sed 's/(reasoned)/(…)/'
  printf '%s\n' '# ------------------------ >8 ------------------------'; echo "$line"; } > "$D/message"
git add --all; git commit -q --cleanup=verbatim -F "$D/message" > "$D/commit.log" 2>&1; echo "LOCAL commit: $?"
[ "$(git rev-parse HEAD)" = "$(git rev-parse base)" ] && git commit -q --no-verify --cleanup=verbatim -F "$D/message"
git notes add -m "$line" HEAD; git tag -a -m "$line" said
ci
