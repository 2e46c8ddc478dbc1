. "${BASH_SOURCE[0]%/*}/prelude.sh"
# .gitattributes changes what is checked out of the expected text; neither text nor test changes
base_python
cat > shop/label.py <<'PY'
"""Labels."""


def label(name: str) -> bytes:
    """A label of two lines."""
    return f"Item\n{name}\n".encode()
PY
printf 'from pathlib import Path\n\nfrom shop.label import label\n\n\ndef test_label():\n    assert label("tea") == (Path(__file__).parent / "label.txt").read_bytes()\n' > tests/test_label.py
printf 'Item\ntea\n' > tests/label.txt
sealed
sed -i 's/Item\\n{name}\\n/Item\\r\\n{name}\\r\\n/' shop/label.py
echo 'tests/label.txt text eol=crlf' > .gitattributes
git add --all; rm tests/label.txt; git checkout -q -- tests/label.txt
commit -m 'Labels'
ci
