. "${BASH_SOURCE[0]%/*}/prelude.sh"
# A long function with a branch for each country: the row of one is dropped from a file of data; the layout of the file is varied until the sample misses the branch.
pyprices
{ echo 'def postage(country, grams):'; echo '    """Postage in cents."""'; i=0
for c in at be bg cy cz de dk ee es fi fr gr hr hu ie it lt lu lv mt nl pl pt ro se si sk; do i=$((i+1)); echo "    if country == \"$c\":"; echo "        return $((300 + i * 7)) + grams * $((i + 2))"; done; echo '    raise KeyError(country)'; } > shop/post.py
python3 - <<'E'
import json, sys
sys.path.insert(0, ".")
from shop.post import postage
rows = [[c, g, postage(c, g)] for c in "at be bg cy cz de dk ee es fi fr gr hr hu ie it lt lu lv mt nl pl pt ro se si sk".split() for g in (3, 50)]
json.dump(rows, open("tests/rows.json", "w"))
E
put tests/test_post.py <<'E'
import json
from pathlib import Path

import pytest
from shop.post import postage

ROWS = json.loads((Path(__file__).parent / "rows.json").read_text())


@pytest.mark.parametrize("country,grams,cents", ROWS)
def test_postage(country, grams, cents):
    assert postage(country, grams) == cents
E
base
for indent in 1 2 3 4; do
git checkout -q "$BASE" -- tests
INDENT=$indent python3 - <<'E'
import json, os
rows = [r for r in json.load(open("tests/rows.json")) if r[0] != "nl"]
json.dump(rows, open("tests/rows.json", "w"), indent=int(os.environ["INDENT"]))
E
git reset -q --soft "$BASE"; STEP=1; commit 'Fewer rows'; FIRST=$(git rev-parse HEAD); echo "== change 1, layout $indent"; verify_change "$BASE"; echo "exit code of change 1: $rc"
[ "$rc" = 0 ] && break
done
[ "$rc" = 0 ] || { finish; exit 0; }
sed -i '/"nl"/{n;s/grams \* /grams * 1/}' shop/post.py
second 'Postage of this year'
proof
finish
