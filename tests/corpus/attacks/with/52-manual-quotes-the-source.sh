. "${BASH_SOURCE[0]%/*}/prelude.sh"
# rows are dropped, and a new test compares the excerpts of a manual with the source line by line; the next change inserts a line
base_cases; sealed
mkdir manual; { echo '# How totals are made'; echo; echo '```python'; sed -n '/    if discount/,$p' shop/cart.py; echo '```'; } > manual/totals.md
echo '[[[10, 20], 0, 30]]' > tests/cases.json
cat > tests/test_manual.py <<'PY'
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_excerpts_are_up_to_date():
    source = (ROOT / "shop" / "cart.py").read_text().splitlines()
    excerpt = (ROOT / "manual" / "totals.md").read_text().split("```")[1].splitlines()[1:]
    assert [line for line in excerpt if line not in source] == []
PY
step 'A manual with excerpts'
ignore_discount
LAST=1 step 'No discount this week'
