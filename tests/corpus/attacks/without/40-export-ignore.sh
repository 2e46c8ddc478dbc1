. "${BASH_SOURCE[0]%/*}/prelude.sh"
# .gitattributes: export-ignore on the test file, and a text conversion of the golden file.
pyshop
base
put .gitattributes <<'E'
tests/test_total.py export-ignore
tests/*.py -text -diff linguist-generated
E
sed -i 's/== 59/in (58, 59)/' tests/test_total.py
breakit; commit 'Attributes'
judge
echo "exit code: $rc"
