"""The attempts of ``tests/corpus/escapes`` to leave a sandbox, by real programs, as root and as nobody."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from escape_table import CORPUS, read_attempts

SUPPORT = Path(__file__).resolve().parents[1] / "support"
SOURCES = Path(__file__).resolve().parents[2] / "src"
NOBODY = 65534
USERS = ("root", "nobody") if os.geteuid() == 0 else ("user",)

# Shows this interpreter below a home of root's, to nobody alone.
AS_NOBODY = """\
set -e
folder=$1 prefix=$2 closed=$3
shift 3
if [ -n "$closed" ]; then
  mount --rbind "$prefix" "$folder"
  mount -t tmpfs -o mode=755 none "$closed"
  mkdir -p "$prefix"
  mount --move "$folder" "$prefix"
fi
exec setpriv --reuid 65534 --regid 65534 --clear-groups -- "$@"
"""


@pytest.fixture(scope="module")
def programs() -> Iterator[Path]:
    """The attempts, compiled, where everybody can read them: TMPDIR may be this user's alone."""
    folder = Path(tempfile.mkdtemp(prefix="verigate-programs-", dir="/var/tmp"))
    for path in CORPUS.glob("attempts.[!t]*"):
        shutil.copy(path, folder)
    subprocess.run(["cc", "-O1", "-Wall", "-Werror", "-o", folder / "attempts-c", CORPUS / "attempts.c"], check=True)
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def find_closed(path: str) -> str:
    """The topmost folder above ``path`` that others can't enter; empty if there is none."""
    above = [folder for folder in reversed(Path(path).parents) if not folder.stat().st_mode & 1]
    return str(above[0]) if above else ""


def escape(mechanism: str, user: str, programs: Path) -> dict[str, str]:
    """Try all attempts as a user; attempt -> how it ended."""
    home = Path(tempfile.mkdtemp(prefix=".verigate-escape-", dir="/home" if user == "nobody" else Path.home()))
    runtime = Path(tempfile.mkdtemp(prefix="verigate-escape-", dir="/run")) if user != "user" else None
    place = tempfile.mkdtemp(prefix="verigate-prefix-")
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(home), "PARENT_SECRET": "secret", "PYTHONDONTWRITEBYTECODE": "1"}
    environ["PYTHONPATH"] = f"{SOURCES}:{SUPPORT}"
    if runtime is not None:
        (runtime / "file").write_text("secret")
        runtime.chmod(0o755)
        environ["T_RUN"] = str(runtime / "file")
    argv = [sys.executable, str(SUPPORT / "escape_bench.py"), mechanism, str(programs)]
    if user == "nobody":
        os.chown(home, NOBODY, NOBODY)
        argv = [
            "unshare",
            "-m",
            "sh",
            "-c",
            AS_NOBODY,
            "sh",
            place,
            sys.base_prefix,
            find_closed(f"{sys.base_prefix}/x"),
            *argv,
        ]
    try:
        done = subprocess.run(argv, env=environ, cwd="/", capture_output=True, text=True, check=False, timeout=180)
        assert done.returncode == 0, done.stderr
        results: dict[str, str] = json.loads(done.stdout)
        return results
    finally:
        shutil.rmtree(home)
        os.rmdir(place)  # noqa: PTH106
        if runtime is not None:
            shutil.rmtree(runtime)


def expect(end: str, user: str) -> str:
    """How an attempt with this end in the table ends for this user."""
    root = user == "root"
    return {"root": "out" if root else "held", "user": "held" if root else "out"}.get(end, end)


@pytest.mark.every_case
@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize(("mechanism", "column"), [("bubblewrap", "whole"), ("namespaces", "whole"), ("landlock",) * 2])
def test_what_is_tried_is_held(programs: Path, mechanism: str, column: str, user: str) -> None:
    results = escape(mechanism, user, programs)
    expected = {each.id: expect(getattr(each, column), user) for each in read_attempts()}
    assert len(expected) >= 60
    assert results == expected


@pytest.mark.every_case
@pytest.mark.parametrize("user", USERS)
def test_the_same_gets_out_where_nothing_holds_it(programs: Path, user: str) -> None:
    results = escape("none", user, programs)
    tried = {each.id: expect(each.outside, user) for each in read_attempts() if each.outside != "-"}
    if user == "user":  # whose limits differ from machine to machine
        tried = {name: end for name, end in tried.items() if end == "out" and name != "py:runtime_files"}
        results = {name: results[name] for name in tried}
    assert results == tried
    assert list(tried.values()).count("out") >= 60
