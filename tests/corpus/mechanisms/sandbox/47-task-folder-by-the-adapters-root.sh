# What hides the gate's folders from a test need not hide them from the adapter, its parent. The test goes through the roots, working folders and descriptors of all processes in /proc, and looks for a file that it could write outside of its own view.
# rights: none
# expect: fail|error
# because: test_reach
. "$ATTACKS/common.sh"
make_project
reach <<'PY'
import os
from pathlib import Path


def reached():
    """Another process's view has a folder of the gate's calls that can be written to."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if not os.path.samefile(process / "root", "/"):
                pass
            environ = dict(each.partition(b"=")[::2] for each in (process / "environ").read_bytes().split(b"\0"))
            places = [process / "cwd", *(process / "fd").iterdir()]
        except OSError:
            continue
        places += [Path(os.fsdecode(os.fsencode(process / "root") + value)) for name, value in environ.items() if name.startswith(b"GATE_") and value.startswith(b"/")]
        for place in places:
            try:
                if not place.is_dir() or "calls" not in str(place.resolve()):
                    continue
                (place / "left-5f1d").write_text("x")
            except OSError:
                continue
            return True
    return False
PY
commit -m 'Test more'
judge
