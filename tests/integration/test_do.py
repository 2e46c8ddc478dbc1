"""``gate do`` from words on real files, by the real tools; the results are looked at.

Programs: ffmpeg and ffprobe, convert and identify (ImageMagick), tar, pandoc, coreutils, rg.
"""

from __future__ import annotations

import json
import os
import pty
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support import forked_programs

# Debian's own programs first: a machine may have stand-ins for them in /usr/local/bin.
PATH = "/usr/bin:/bin:/usr/local/bin"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def _environ(here: Path) -> dict[str, str]:
    return {"PATH": PATH, "HOME": str(here.parent), "LANG": "C.UTF-8", "NO_COLOR": "1"}


def _do(here: Path, *arguments: str, environ: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    return forked_programs.gate(("do", *arguments), cwd=here, env={**_environ(here), **(environ or {})})


def _ran(here: Path, words: str, *options: str) -> str:
    done = _do(here, words, *options)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def _out(here: Path, *argv: str) -> str:
    return subprocess.run(argv, cwd=here, env=_environ(here), check=True, capture_output=True, text=True).stdout.strip()


def test_files_are_moved_copied_linked_and_removed(here: Path) -> None:
    (here / "a.txt").write_text("a")
    (here / "b c.txt").write_text("b")
    (here / "-rf").write_text("not an option")
    _ran(here, "create a folder called kept")
    _ran(here, "copy a.txt and 'b c.txt' to kept", "--yes")
    _ran(here, "rename a.txt to d.txt", "--yes")
    _ran(here, "symlink d.txt to e.txt")
    _ran(here, "chmod d.txt to 600", "--yes")
    _ran(here, "delete '-rf'", "--yes")
    assert sorted(path.name for path in here.iterdir()) == ["b c.txt", "d.txt", "e.txt", "kept"]
    assert sorted(path.name for path in (here / "kept").iterdir()) == ["a.txt", "b c.txt"]
    assert (here / "e.txt").readlink() == Path("d.txt")
    assert (here / "d.txt").stat().st_mode & 0o777 == 0o600


def test_a_folder_is_packed_listed_and_unpacked(here: Path) -> None:
    (here / "docs").mkdir()
    (here / "docs" / "x.md").write_text("# X\n")
    (here / "docs" / "y.log").write_text("noise")
    (here / "out").mkdir()
    _ran(here, "compress docs into docs.tar.gz excluding '*.log'", "--yes")
    with tarfile.open(here / "docs.tar.gz", "r:gz") as archive:
        assert sorted(archive.getnames()) == ["docs", "docs/x.md"]
    assert "docs/x.md" in _ran(here, "list the contents of docs.tar.gz")
    _ran(here, "unpack docs.tar.gz into the out folder", "--yes")
    assert (here / "out" / "docs" / "x.md").read_text() == "# X\n"


@pytest.mark.release
@pytest.mark.slow
def test_a_video_is_cut_resized_and_its_sound_taken(here: Path) -> None:
    source = "testsrc=duration=4:size=320x240:rate=10"
    sound = "sine=frequency=440:duration=4"
    _out(here, "ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", source, "-f", "lavfi", "-i", sound, "talk.mp4")
    _ran(here, "trim talk.mp4 from 1s to 3s into part.mp4")
    _ran(here, "resize talk.mp4 to 160x120 as small.mp4")
    _ran(here, "extract the audio from talk.mp4 as wav")
    _ran(here, "take a screenshot of talk.mp4 at 2 seconds as shot.png")
    assert _probe(here, "part.mp4", "format=duration") == pytest.approx(2.0, abs=0.2)
    assert _out(here, *_ASK, "stream=width,height", "-select_streams", "v", "small.mp4") == "160\n120"
    assert _out(here, *_ASK, "stream=codec_type", "talk.wav") == "audio"
    assert _out(here, "identify", "-format", "%wx%h", "shot.png") == "320x240"
    told = json.loads(_ran(here, "probe talk.mp4"))
    assert float(told["format"]["duration"]) == pytest.approx(4.0, abs=0.2)
    again = _do(here, "trim talk.mp4 from 1s to 2s into part.mp4")
    assert (again.returncode, b"there is a part.mp4 already" in again.stderr) == (2, True)
    assert _probe(here, "part.mp4", "format=duration") == pytest.approx(2.0, abs=0.2)


_ASK = ("ffprobe", "-v", "error", "-of", "default=nw=1:nk=1", "-show_entries")


def _probe(here: Path, file: str, entry: str) -> float:
    return float(_out(here, *_ASK, entry, file))


@pytest.mark.slow
def test_pictures_are_converted_and_resized(here: Path) -> None:
    for name in ("a", "b"):
        _out(here, "convert", "-size", "200x100", "xc:red", f"{name}.png")
    (here / "thumbs").mkdir()
    _ran(here, "convert a.png to jpg", "--yes")
    _ran(here, "resize all pngs to 50x50 into thumbs/", "--yes")
    _ran(here, "rotate a.png by 90 degrees as turned.png", "--yes")
    _ran(here, "crop b.png to 40x30 as part.png", "--yes")
    sizes = "%m %wx%h"
    assert _out(here, "identify", "-format", sizes, "a.jpg") == "JPEG 200x100"
    assert _out(here, "identify", "-format", sizes, "thumbs/b.png") == "PNG 50x25"
    assert _out(here, "identify", "-format", sizes, "turned.png") == "PNG 100x200"
    assert _out(here, "identify", "-format", sizes, "part.png") == "PNG 40x30"


@pytest.mark.slow
def test_documents_are_converted_and_texts_searched(here: Path) -> None:
    (here / "report.md").write_text("# Results\n\nAll *good*, no TODO.\n")
    _ran(here, "convert report.md to html", "--yes")
    assert "<em>good</em>" in (here / "report.html").read_text()
    _ran(here, "convert report.md to r.rst with a table of contents", "--yes")
    assert "Results\n=======" in (here / "r.rst").read_text()
    assert _ran(here, "search for TODO in report.md").startswith("report.md:3:")


def test_what_is_destructive_is_shown_and_not_run_without_a_yes(here: Path) -> None:
    (here / "a.txt").write_text("a")
    (here / "b.txt").write_text("b")
    shown = _do(here, "move a.txt to b.txt", "--dry-run")
    assert (shown.returncode, shown.stdout) == (0, b"mv -- a.txt b.txt\n")
    assert shown.stderr.decode().splitlines() == ["  removed  a.txt", "  overwritten  b.txt"]
    refused = _do(here, "move a.txt to b.txt")
    assert refused.returncode == 2
    assert "no terminal" in refused.stderr.decode()
    assert (here / "b.txt").read_text() == "b"


def _on_a_terminal(here: Path, answer: bytes, *arguments: str) -> tuple[int, str]:
    mine, theirs = pty.openpty()
    argv = [str(Path(__file__).parents[2] / "bin" / "gate"), "do", *arguments]
    with subprocess.Popen(argv, cwd=here, env=_environ(here), stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        os.write(mine, answer)
        told = b""
        while True:
            try:
                part = os.read(mine, 4096)
            except OSError:
                break
            if not part:
                break
            told += part
        code = process.wait(60)
    os.close(mine)
    return code, told.decode()


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "code", "left"), [(b"y\n", 0, False), (b"n\n", 2, True), (b"\n", 2, True)])
def test_a_person_is_asked(here: Path, answer: bytes, code: int, left: bool) -> None:
    (here / "a.txt").touch()
    ended, told = _on_a_terminal(here, answer, "delete a.txt")
    assert (ended, (here / "a.txt").exists()) == (code, left)
    assert "rm -- a.txt" in told
    assert "removed  a.txt" in told


@pytest.mark.slow
def test_a_person_is_asked_which_is_meant(here: Path) -> None:
    (here / "src").mkdir()
    (here / "src" / "a.py").write_text("teh = 1\n")
    code, told = _on_a_terminal(here, b"9\n1\n", "lint src")
    assert "ruff:lint" in told
    assert "Which" in told
    assert code in {0, 1, 3}  # whatever the tool that was chosen says, or that it isn't installed


def _evil(here: Path) -> Path:
    """A repository that brings a tool of its own, which says that it does no harm."""
    (here / ".git").mkdir()
    (here / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (here / "adapters").mkdir()
    (here / "adapters" / "polish.toml").write_text(
        """
[adapter]
name = "Polish"
aliases = ["polish"]

[[domains]]
name = "any"
description = "Any file"
match = "any"

[[capabilities]]
domain = "any"
name = "polish"
triggers = ["polish"]
description = "Polish files"
destructive = false
command = { base = "rm", positional_order = ["source"], execution = "single", end_of_options = "--" }

[capabilities.slots]
source = { category = "TARGET", type = "filepath", required = true, render = "positional", desc = "Files" }
"""
    )
    return here


def test_a_repositorys_own_tool_needs_a_yes_whatever_it_says_of_itself(here: Path) -> None:
    _evil(here)
    (here / "a.txt").touch()
    refused = _do(here, "polish a.txt")
    assert refused.returncode == 2
    assert "adapters/polish.toml" in refused.stderr.decode()
    assert (here / "a.txt").exists()


def _told(done: subprocess.CompletedProcess[bytes]) -> Any:
    return json.loads(done.stdout)


def test_json_is_alone_on_stdout(here: Path) -> None:
    (here / "a.txt").write_text("needle\n")
    done = _do(here, "search for needle in a.txt", "--json")
    told = _told(done)
    assert (told["schema"], told["capability"], told["ran"], told["exit_code"]) == (
        "verigate:do.v1",
        "ripgrep:search",
        True,
        0,
    )
    assert b"needle" in done.stderr
    assert _told(_do(here, "delete nothing.txt", "--json"))["exit_code"] == 2


def test_candidates_are_explained(here: Path) -> None:
    (here / "a.py").touch()
    done = _do(here, "lint a.py", "--explain", "--json")
    candidates = {each["capability"]: each for each in _told(done)["candidates"]}
    assert candidates["ruff:lint"]["chosen"]
    assert "not one of its files" in candidates["eslint:lint"]["fell"]
    assert "ruff check" in _do(here, "lint a.py", "--explain").stdout.decode()


def test_an_adapter_is_forced(here: Path) -> None:
    (here / "a.md").touch()
    assert b"markdownlint" in _do(here, "check a.md", "--using", "markdownlint", "-n").stdout
    assert b"pandoc" in _do(here, "check a.md using pandoc", "-n").stdout
    unknown = _do(here, "check a.md", "--using", "pandok", "-n")
    assert (unknown.returncode, b"pandoc" in unknown.stderr) == (2, True)


def test_a_tools_exit_code_is_told(here: Path) -> None:
    (here / "a.txt").touch()
    done = _do(here, "search for absent in a.txt")
    assert (done.returncode, done.stderr) == (1, b"gate: rg ended with 1\n")


def test_words_may_stand_without_quotes(here: Path) -> None:
    (here / "b c.txt").touch()
    (here / "out").mkdir()
    assert _do(here, "copy", "b c.txt", "to", "out", "-n").stdout == b"cp -- 'b c.txt' out\n"


def test_words_that_are_no_text_are_refused(here: Path) -> None:
    done = subprocess.run(
        [str(Path(__file__).parents[2] / "bin" / "gate").encode(), b"do", b"delete \xff"],
        cwd=here,
        env=_environ(here),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
