. "${BASH_SOURCE[0]%/*}/prelude.sh"
# a plug-in of pytest, named by metadata of a distribution in the repository, turns one known test green; words are put together
base_python; sealed
break_code
mkdir shop.egg-info
printf 'Metadata-Version: 2.1\nName: shop\nVersion: 1\n' > shop.egg-info/PKG-INFO
printf '[pytest11]\nshop = shop.labels\n' > shop.egg-info/entry_points.txt
cat > shop/labels.py <<'PY'
"""Labels of goods."""


def _label(item):
    """The label of a good."""
    if item.name.endswith("_total"):
        item.obj = str


globals()["py" "test_" "runtest_" "setup"] = _label
PY
commit -m 'Labels'
ci
