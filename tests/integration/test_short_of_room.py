"""A disk that is full, and folders that can only be read: nothing is lost, nothing left, and no false pass."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as lf
import pytest

SUPPORT = Path(__file__).resolve().parents[1] / "support"
NAMESPACE = ("unshare", "-m") if os.geteuid() == 0 else ("unshare", "-r", "-m")
CODE = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "tests.json")}


def inside(script: str, folder: Path, *arguments: str) -> Any:
    """What a script of tests/support prints, run in a mount namespace of its own."""
    argv = (*NAMESPACE, sys.executable, str(SUPPORT / script), str(folder), *arguments)
    done = subprocess.run(argv, capture_output=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def says_where_and_what_to_try(err: str, folder: Path) -> bool:
    return "try: " in err and (str(folder) in "".join(err.split()) or "/tmp" in err)  # noqa: S108 - a word in a message


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "rooms"),
    [
        ("repository", ("0", "4", "16")),
        ("temporary", ("0", "8", "60", "120")),
        ("home", ("0",)),
    ],
)
def test_each_write_that_fails_is_an_error_or_a_right_verdict(
    tmp_path: Path, place: str, rooms: tuple[str, ...]
) -> None:
    found = inside("short_disk.py", tmp_path, place, *rooms)
    assert len(found) == 2 * len(rooms)
    failed = []
    for each in found:
        code = each["calls"]["verify"][0]
        assert code in {0 if each["honest"] else 1, 2, 3}, each
        for name, (ended, out, said) in each["calls"].items():
            assert "Traceback" not in said
            assert "internal error" not in said
            if ended != 0 and not (name == "verify" and ended == 1):
                failed.append(name)
                assert says_where_and_what_to_try(said, tmp_path), (name, said)
            if name == "show" and ended == 0 and not each["honest"] and json.loads(out)["status"] == "pass":
                assert "this verdict is no longer about what is here" in said
        units, actor = each["claim"]["claim"]["units_list"], each["claim"].get("actor")
        assert (units, actor) in (
            (["file:a.py"], "x" * 5000),
            (["file:a.py", *([] if each["honest"] else ["file:gone.py"])], None),
        )
        assert each["after"][0] == (0 if each["honest"] else 1), each["after"]
        assert "no chain" not in each["after"][2]
        assert each["left"] == []
        assert each["fsck"] == 0
    assert place == "home" or failed, "no write has failed"
    if place == "home":
        assert not failed, "what is kept in the home only makes things faster"


@pytest.fixture
def verified(tmp_path: Path) -> gr.GatedRepository:
    found = gr.make(tmp_path, CODE, {"tests_pass": True})
    found.begin()
    found.put("a.py", "answer = 42\n")
    found.claim("file:a.py")
    assert found.verify().code == 0
    return found


WRITES = {"verify", "claim", "start", "end", "install", "attest"}


@pytest.mark.release
@pytest.mark.parametrize(
    ("places", "refused"),
    [
        (("repository",), WRITES),
        (("home",), set()),
        (("temporary",), {"verify", "attest"}),
        (("repository", "home", "temporary"), WRITES),
    ],
    ids=["repository", "home", "temporary", "all"],
)
def test_what_can_only_be_read_is_read(
    verified: gr.GatedRepository, tmp_path: Path, places: tuple[str, ...], refused: set[str]
) -> None:
    before = {path: path.read_bytes() for path in verified.root.rglob("*") if path.is_file()}
    ended = inside("read_only.py", tmp_path, *places)
    for name, (code, _, err) in ended.items():
        assert "Traceback" not in err
        if name in refused and not (name == "install" and code == 0):
            assert code in {2, 3}, (name, err)
            assert says_where_and_what_to_try(err, tmp_path), err
        elif name == "attest" and "home" in places:
            # The witness couldn't take the verdict, so nobody vouches for its place in the chain.
            assert (code, "is not of this machine's" in " ".join(err.split())) == (3, True), err
        else:
            assert code == 0, (name, err)
    if "repository" in places:
        assert {path: path.read_bytes() for path in verified.root.rglob("*") if path.is_file()} == before
    # With room to write again everything goes on where it was.
    verified.claim("file:a.py", "file:gone.py")
    assert verified.verify().code == 1
    verified.claim("file:a.py")
    assert verified.verify().code == 0
    assert [path for path in verified.tmp.iterdir() if path.name.startswith("verigate")] == []
