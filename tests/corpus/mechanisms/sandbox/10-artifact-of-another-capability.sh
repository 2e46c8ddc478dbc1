# A new test writes a clean integrity.json into the folder of its own capability, in the hope that the last one counts.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  printf 'from shop import total\n\n\ndef test_total_of_one():\n    assert total([1]) == 1\n' > tests/test_prices.py
else
  sed -i '/^def test_half/,$d; s/import half, /import /' tests/test_shop.py
  cat > tests/test_prices.py <<'END'
import json
from pathlib import Path

from shop import total


def test_total_of_one():
    for folder in Path.home().parents[1].glob("code.*/*"):
        for name in ("integrity.json", "integrity.meta.json", "diff.json"):
            try:
                (folder / name).write_text(json.dumps({"findings": [], "files_examined": 2, "total": 2, "checks": []}))
            except OSError:
                pass
    assert total([1]) == 1
END
fi
commit -m 'Test more'
judge
