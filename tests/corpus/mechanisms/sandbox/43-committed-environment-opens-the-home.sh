# The change commits an environment .venv, in which a package claims to be installed in editable mode from the home of whoever verifies. A test reads a token there.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
mkdir -p "$TOP/fresh-home"
if [ -z "${HONEST:-}" ]; then
  echo token-5f1d > "$TOP/fresh-home/token.txt"; touch "$TOP/fresh-home/notes.py"
  python3 -m venv --without-pip .venv
  packages=$(echo "$PWD"/.venv/lib/python3*/site-packages)
  python3 -c 'import pathlib, pytest; print(pathlib.Path(pytest.__file__).parents[1])' > "$packages/shared.pth"
  mkdir "$packages/notes-1.0.dist-info"
  printf 'Metadata-Version: 2.1\nName: notes\nVersion: 1.0\n' > "$packages/notes-1.0.dist-info/METADATA"
  printf '{"url": "file://%s", "dir_info": {"editable": true}}' "$TOP/fresh-home" > "$packages/notes-1.0.dist-info/direct_url.json"
  echo "$TOP/fresh-home" > "$packages/notes.pth"
  git add -f .venv
fi
reach <<PY
from pathlib import Path


def reached():
    """A token of the home can be read."""
    try:
        return "token-" "5f1d" in Path("$TOP/fresh-home/token.txt").read_text()
    except OSError:
        return False
PY
works_outside
commit -m 'Test more'
judge
