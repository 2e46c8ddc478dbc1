# The project's environment says that the user's whole home is a package in editable mode, which has a Python file; its sandboxes show such folders. A test reads a token there.
# rights: user
# expect: fail|error
# because: test_reach
. "$ATTACKS/common.sh"
make_project
python3 -m venv --without-pip .venv
packages=$(echo "$PWD"/.venv/lib/python3*/site-packages)
python3 -c 'import pathlib, pytest; print(pathlib.Path(pytest.__file__).parents[1])' > "$packages/shared.pth"
if [ -z "${HONEST:-}" ]; then
  echo token-5f1d > ~/token.txt; touch ~/notes.py
  mkdir "$packages/notes-1.0.dist-info"
  printf 'Metadata-Version: 2.1\nName: notes\nVersion: 1.0\n' > "$packages/notes-1.0.dist-info/METADATA"
  printf '{"url": "file://%s", "dir_info": {"editable": true}}' "$HOME" > "$packages/notes-1.0.dist-info/direct_url.json"
  echo "$HOME" > "$packages/notes.pth"
fi
reach <<END
from pathlib import Path


def reached():
    """A token of the home can be read."""
    for name in ("token.txt", ".ssh/id", "private/token.txt"):
        try:
            if "token-" "5f1d" in Path("$HOME", name).read_text():
                return True
        except OSError:
            pass
    return False
END
commit -m 'Test more'
works_outside
judge
