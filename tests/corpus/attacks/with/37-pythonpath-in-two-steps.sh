. "${BASH_SOURCE[0]%/*}/prelude.sh"
# two changes: pythonpath names a folder more that holds nothing; then a right copy of the code lies there, and the code is broken
base_python; sealed
sed -i 's/pythonpath = \["."\]/pythonpath = ["compat", "."]/' pyproject.toml; mkdir compat; echo '# compat' > compat/README.md
commit -m 'A folder'
ci; cd "$D/repo"; git branch -f base HEAD
mkdir compat/shop; cp shop/*.py compat/shop/; break_code
commit -m 'Older versions'
ci
