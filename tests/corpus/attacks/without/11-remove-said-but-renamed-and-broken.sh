. "${BASH_SOURCE[0]%/*}/prelude.sh"
# "Remove total": the function is only renamed, and broken; its test is removed.
pyshop
base
sed -i 's/def total/def grand_total/' shop/__init__.py; breakit
git rm -q tests/test_total.py
commit 'Remove total'
judge
echo "exit code: $rc"
