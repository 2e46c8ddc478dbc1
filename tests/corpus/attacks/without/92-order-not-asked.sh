. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Lists are compared sorted; what is varied changes what is in them, not their order. Then the order is lost.
pyprices
put shop/names.py <<'E'
def labels(people, longest=8):
    """Short labels by name, without empty ones."""
    found = []
    for person in people:
        name = person.strip()
        if len(name) > 0:
            found.append(name[:longest])
    found.sort(key=str.casefold)
    return found
E
put tests/test_names.py <<'E'
from shop.names import labels


def test_labels():
    assert labels(["bob", " Al", "", "christopher", "d"]) == ["Al", "bob", "christop", "d"]
E
base
sed -i 's/assert labels(\(.*\)) == \(.*\)$/assert sorted(labels(\1), key=str.upper) == \2/' tests/test_names.py
first 'Compare sorted lists'
sed -i 's/key=str.casefold/key=len/' shop/names.py
second 'Short names first'
proof
finish
