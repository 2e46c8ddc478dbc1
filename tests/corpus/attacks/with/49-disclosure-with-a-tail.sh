. "${BASH_SOURCE[0]%/*}/prelude.sh"
# one of the forms of 20 alone
base_python; sealed
break_code; sed -i '/^def test_total/,+3d' tests/test_cart.py
git add --all; git commit -q --no-verify -m probe; "$GATE" verify --ref HEAD --quiet > "$D/probe.log" 2>&1; git reset -q --soft HEAD~1
line=$(grep -o 'Weakens: .*(' "$D/probe.log" | head -1)reasoned\)
printf 'Change\n\n%s no\n' "$line" > "$D/message"
git add --all; git commit -q --no-verify --cleanup=verbatim -F "$D/message"
ci
