. "${BASH_SOURCE[0]%/*}/prelude.sh"
# one change renames a variable in every line, so that no line is the same in both, and drops rows; the next one breaks the code
base_cases; sealed
python3 - <<'PY'
text = open("shop/cart.py").read()
text = text.replace("amount", "value").replace("    if discount > 50:", "    if discount > (50):").replace('raise ValueError("discount above 50")', 'raise ValueError("discount is above 50")')
open("shop/cart.py", "w").write(text)
PY
echo '[[[10, 20], 0, 30]]' > tests/cases.json
step 'Call it value'
sed -i 's|value = value - value \* discount|value = value + value * discount|' shop/cart.py
LAST=1 step 'Discounts are added'
