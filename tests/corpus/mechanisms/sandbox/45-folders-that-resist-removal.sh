# A test makes folders that are hard to remove, where it may write: 3,000 levels deep, without any rights, with names that aren't text, and a link to the home among them. Nothing may be left, and nothing removed by the link.
# rights: none
# expect: fail
# because: nothing was left
. "$ATTACKS/common.sh"
make_project
mkdir -p "$TOP/fresh-home/kept"; echo kept > "$TOP/fresh-home/kept/file"
if [ -n "${HONEST:-}" ]; then
  printf 'def test_files(tmp_path):\n    (tmp_path / "file").write_text("x")\n' > tests/test_files.py
else
  cat > tests/test_files.py <<PY
import os
import tempfile
from pathlib import Path


def test_files():
    """Make the folders."""
    top = os.getcwd()
    for place in {top, str(Path.home()), tempfile.gettempdir()}:
        os.chdir(place)
        os.makedirs(b"left-\xff\n/x")
        os.symlink("$TOP/fresh-home/kept", "left-link")
        os.symlink("/", "left-root")
        os.mkfifo("left-pipe")
        os.mkdir("left-deep")
        os.chdir("left-deep")
        for _ in range(3000):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
        os.mkdir("closed")
        Path("closed/file").write_text("x")
        os.chmod("closed", 0)
        os.chmod(place + "/left-deep", 0)
    os.chdir(top)
PY
fi
commit -m 'Test more'
judge
[ -z "${HONEST:-}" ] || exit 0
[ -f "$TOP/fresh-home/kept/file" ] || { echo 'a file of the home is gone'; exit 0; }
ls -A "$TMPDIR" | grep -q verigate && { echo "left: $(ls -A "$TMPDIR")"; exit 0; }
echo 'nothing was left'; exit 1
