# A test puts a shell with the set-user-ID bit wherever it can write, so that one is left on the machine when the verdict (a pass) is there.
# rights: none
# expect: fail
# because: nothing was left
. "$ATTACKS/common.sh"
make_project
cat > tests/test_files.py <<'PY'
import os
import shutil
import tempfile
from pathlib import Path


def test_files():
    """Copy the shell."""
    wanted = MODE
    places = {Path.cwd(), Path.home(), Path(tempfile.gettempdir()), Path("/dev/shm"), Path("/run"), Path("/var/tmp"), Path("/tmp"), Path(__file__).parent, Path(".git")}
    for value in os.environ.values():
        places |= {Path(each) for each in value.split(":") if each.startswith("/")}
    made = 0
    for place in places:
        try:
            shutil.copy("/bin/sh", place / "left-5f1d")
            os.chmod(place / "left-5f1d", wanted)
        except OSError:
            continue
        made += 1
    assert made
PY
sed -i "s/MODE/$([ -n "${HONEST:-}" ] && echo 0o755 || echo 0o6755)/" tests/test_files.py
commit -m 'Test more'
touch "$TOP/before"
judge
[ -z "${HONEST:-}" ] || exit 0
left=$(find "$TOP/.." /dev/shm /run /var/tmp /tmp /usr /opt /root -xdev -newer "$TOP/before" -name left-5f1d 2> /dev/null || true)
[ -z "$left" ] || { echo "$left"; exit 0; }
echo 'nothing was left'; exit 1
