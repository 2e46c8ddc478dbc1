"""Options of the shipped tools that requests ask for, on real files: what is printed, what is there, what fails."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
import shipped_tools

from verigate.execution import direct_run
from verigate.tools.slots import SlotsError

ENVIRON = {
    "PATH": f"{Path(sys.prefix) / 'bin'}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}  # fmt: skip


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "notes.txt").write_text("alpha\nTODO one TODO\nbeta\n")
    (tmp_path / "other.txt").write_text("gamma\n")
    (tmp_path / "weak.py").write_text("import hashlib\nassert True\nhashlib.md5(b'x')\n")
    (tmp_path / "a.yaml").write_text("a:   1\n")
    subprocess.run(("convert", "-size", "40x20", "xc:navy", "a.png"), check=True, cwd=tmp_path)
    with tarfile.open(tmp_path / "both.tar", "w") as archive:
        archive.add(tmp_path / "notes.txt", "in/notes.txt")
        archive.add(tmp_path / "other.txt", "in/other.txt")
    for call in (
        ("init", "-q"),
        ("add", "notes.txt"),
        ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"),
    ):
        subprocess.run(("git", *call), check=True, cwd=tmp_path)
    (tmp_path / "out").mkdir()
    return tmp_path


def run(name: str, place: Path, **slots: Any) -> int:
    """Run a capability; return its exit code."""
    return direct_run.run_command(direct_run.build_preview(shipped_tools.capability(name), slots, place), ENVIRON)


@pytest.mark.parametrize(
    ("name", "slots", "expected"),
    [
        ("ripgrep:search", {"pattern": "TODO", "source": ["."], "names": True},
         (0, "./notes.txt\n")),
        ("ripgrep:search", {"pattern": "TODO", "source": ["notes.txt"], "invert": True},
         (0, "notes.txt:1:alpha\nnotes.txt:3:beta\n")),
        ("ripgrep:search", {"pattern": "a", "source": ["other.txt", "notes.txt"], "lacking": True},
         (1, "")),
        ("ripgrep:search", {"pattern": "alpha", "source": ["other.txt", "notes.txt"], "lacking": True},
         (0, "other.txt\n")),
        ("ripgrep:search", {"pattern": "o..", "source": ["notes.txt"], "only_matching": True},
         (0, "notes.txt:2:6:one\n")),
        ("ripgrep:search", {"pattern": "TODO", "source": ["notes.txt"], "before": 1},
         (0, "notes.txt-1-alpha\nnotes.txt:2:1:TODO one TODO\n")),
        ("ripgrep:search", {"pattern": "TODO", "source": ["notes.txt"], "after": 1},
         (0, "notes.txt:2:1:TODO one TODO\nnotes.txt-3-beta\n")),
        ("ripgrep:search", {"pattern": "one", "source": ["notes.txt"], "around": 1},
         (0, "notes.txt-1-alpha\nnotes.txt:2:6:TODO one TODO\nnotes.txt-3-beta\n")),
        ("ripgrep:count", {"pattern": "TODO", "source": ["notes.txt"], "occurrences": True},
         (0, "notes.txt:2\n")),
        ("git:log", {"path": ["notes.txt"], "patch": True, "oneline": True},
         (0, "+alpha")),
        ("git:log", {"path": ["notes.txt"], "stat": True, "oneline": True},
         (0, "3 +++")),
        ("git:blame", {"path": ["notes.txt"], "line": 2},
         (0, "2) TODO one TODO\n")),
        ("bandit:scan", {"source": ["weak.py"], "severity": "high"},
         (1, "B324")),
        ("bandit:scan", {"source": ["weak.py"], "confidence": "low"},
         (1, "B101")),
        ("yamllint:lint", {"source": ["a.yaml"], "preset": "relaxed"},
         (0, "[warning]")),
        ("yamllint:lint", {"source": ["a.yaml"], "preset": "default"},
         (1, "[error]")),
    ],
)  # fmt: skip
def test_what_an_option_prints(
    name: str, slots: dict[str, Any], expected: tuple[int, str], place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, printed = expected
    assert run(name, place, **slots) == code
    found = capfd.readouterr().out
    assert found == printed if printed.endswith("\n") and name.startswith("ripgrep") else printed in found
    assert ("B101" in found) == (slots.get("confidence") == "low")


def test_pictures_are_fitted_to_one_side(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("imagemagick:fit-width", place, source=["a.png"], width=20, destination="w.png") == 0
    assert run("imagemagick:fit-height", place, source=["a.png"], height=40, destination="h.png") == 0
    assert run("imagemagick:identify", place, source=["w.png", "h.png"]) == 0
    told = capfd.readouterr().out
    assert "w.png PNG 20x10" in told
    assert "h.png PNG 80x40" in told


@pytest.mark.slow
def test_a_video_is_fitted_to_one_side_and_nothing_is_no_result(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    made = ("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:s=64x32:r=5", "-pix_fmt", "yuv420p", "v.mp4")
    subprocess.run(made, check=True, cwd=place)
    assert run("ffmpeg:fit-width", place, source=["v.mp4"], width=32, destination="w.mp4") == 0
    assert run("ffmpeg:fit-height", place, source=["v.mp4"], height=64, destination="h.mp4") == 0
    asked = ("ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0")
    sizes = [
        subprocess.run((*asked, each), cwd=place, capture_output=True, check=True).stdout for each in ("w.mp4", "h.mp4")
    ]
    assert [each.strip() for each in sizes] == [b"32,16", b"128,64"]
    assert run("ffmpeg:trim", place, source=["v.mp4"], start="10s", end="20s", destination="late.mp4") != 0
    assert run("ffmpeg:extract-audio", place, source=["v.mp4"], destination="none.mp3") != 0
    assert not (place / "late.mp4").exists()
    assert not (place / "none.mp3").exists()
    assert "Empty output" in capfd.readouterr().err


def test_a_member_is_taken_out_alone_and_one_that_is_not_there_is_refused(place: Path) -> None:
    assert run("tar:extract", place, archive=["both.tar"], directory="out", member=["in/notes.txt"]) == 0
    assert [path.name for path in (place / "out" / "in").iterdir()] == ["notes.txt"]
    planned = direct_run.build_preview(
        shipped_tools.capability("tar:extract"), {"archive": ["both.tar"], "member": ["in/other.txt"]}, place
    )
    assert [each.path for each in planned.effects] == ["in/other.txt"]
    with pytest.raises(SlotsError, match="Not found in archive"):
        run("tar:extract", place, archive=["both.tar"], member=["in/none.txt"])


def test_what_git_does_not_know_is_not_restored(place: Path) -> None:
    with pytest.raises(SlotsError, match="wouldn't take it"):
        run("git:restore", place, path=["other.txt"])
    (place / "notes.txt").write_text("changed\n")
    assert run("git:restore", place, path=["notes.txt"]) == 0
    assert (place / "notes.txt").read_text().startswith("alpha")
    subprocess.run(("git", "add", "other.txt"), check=True, cwd=place)
    assert run("git:restore", place, path=["other.txt"], staged=True) == 0
    assert (place / "other.txt").is_file()


def test_text_is_plain_unless_another_markup_is_asked_for(place: Path) -> None:
    (place / "a.md").write_text("# Title\n\nSome *text*.\n")
    assert run("pandoc:convert", place, source=["a.md"], destination="a.txt") == 0
    assert (place / "a.txt").read_text() == "Title\n\nSome text.\n"
    assert run("pandoc:convert", place, source=["a.md"], destination="b.txt", to="rst") == 0
    assert (place / "b.txt").read_text() == "Title\n=====\n\nSome *text*.\n"


def test_what_was_there_stays_where_a_program_fails(place: Path) -> None:
    (place / "kept.mp4").write_text("mine")
    assert run("ffmpeg:convert", place, source=["a.png"], destination="kept.mp4") != 0
    assert (place / "kept.mp4").read_text() == "mine"
    assert os.access(place / "a.png", os.R_OK)
