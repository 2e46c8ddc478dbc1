# An attribute has git write the source in another encoding into each checkout, where no Python reads it.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '*.txt working-tree-encoding=UTF-16LE' > .gitattributes; git add .gitattributes
else
  echo 'shop/*.py working-tree-encoding=UTF-16LE' > .gitattributes; git add .gitattributes
fi
git commit -q -m 'Encodings'
judge
