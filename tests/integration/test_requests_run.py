"""Requests in words, run on real files by the programs that they name: what comes out is what was asked for.

Programs: coreutils, tar, ffmpeg with libopus and libvorbis, ImageMagick, pandoc, ruff, ripgrep.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from verigate.execution import direct_run
from verigate.tools.slots import SlotsError
from verigate.usecases import run_request

ENVIRON = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
TEXT = "# Title\n\nSome *text* here.\n\n## Part\n\nMore.\n"


@pytest.fixture(scope="module")
def media(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("media")
    sources = ("-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=2", "-f", "lavfi", "-i", "sine=duration=2")
    command = ("ffmpeg", "-loglevel", "error", *sources, "-c:v", "mpeg4", "-c:a", "aac", str(folder / "talk.mp4"))
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return folder / "talk.mp4"


@pytest.fixture
def place(tmp_path: Path, media: Path) -> Path:
    place = tmp_path / "place"
    for folder in ("photos", "out", "src", "archive", "docs"):
        (place / folder).mkdir(parents=True)
    (place / "talk.mp4").write_bytes(media.read_bytes())
    picture = ("ffmpeg", "-loglevel", "error", "-i", "talk.mp4", "-frames:v", "1", "photo.png")
    subprocess.run(picture, check=True, cwd=place, stdin=subprocess.DEVNULL)
    (place / "photos/x.png").write_bytes((place / "photo.png").read_bytes())
    (place / "notes.txt").write_text("foo bar\nbaz\n")
    (place / "README.md").write_text(TEXT)
    (place / "docs/a.md").write_text(TEXT)
    (place / "data.csv").write_text("name,age\nAda,36\n")
    (place / "src/app.py").write_text("x = {  'a':1 }\n")
    (place / "src/app.js").write_text("let  x = 1\n")
    subprocess.run(["tar", "-cf", "pics.tar", "notes.txt", "photo.png"], check=True, cwd=place)
    return place


def run(words: str, place: Path) -> None:
    tools, _ = run_request.index_tools(str(place), {**ENVIRON, "XDG_CACHE_HOME": str(place.parent / "cache")})
    selection = run_request.select_capability(words, tools, str(place))
    assert selection.chosen is not None, f"{words}: {selection.problem}"
    planned = run_request.preview_command(selection.chosen, str(place), is_trusted=True)
    assert direct_run.run_command(planned, ENVIRON) == 0, words


def identify(path: Path, shown: str = "%wx%h %m") -> str:
    done = subprocess.run(["identify", "-format", shown, str(path)], check=True, capture_output=True, text=True)
    return done.stdout


def probe(path: Path) -> Any:
    command = ("ffprobe", "-loglevel", "error", "-show_format", "-show_streams", "-of", "json", str(path))
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def read_text_of(path: Path) -> str:
    return subprocess.run(["pandoc", "--to=plain", str(path)], check=True, capture_output=True, text=True).stdout


def codecs(path: Path) -> list[str]:
    return [stream["codec_name"] for stream in probe(path)["streams"]]


def lasts(path: Path) -> float:
    return float(probe(path)["format"]["duration"])


Check = Callable[[Path], bool]

PICTURES: list[tuple[str, Check]] = [
    ("convert photo.png to jpg", lambda p: identify(p / "photo.jpg") == "64x48 JPEG"),
    ("resize photo.png to 32x32 as small.png", lambda p: identify(p / "small.png") == "32x24 PNG"),
    ("stretch photo.png to 30x30 as flat.gif", lambda p: identify(p / "flat.gif") == "30x30 GIF"),
    ("enlarge photo.png to 200% as big.png", lambda p: identify(p / "big.png") == "128x96 PNG"),
    ("shrink photo.png by 50% to half.png", lambda p: identify(p / "half.png") == "32x24 PNG"),
    ("shrink photo.png to 25% as quarter.png", lambda p: identify(p / "quarter.png") == "16x12 PNG"),
    ("rotate photo.png by 90 degrees as turned.png", lambda p: identify(p / "turned.png") == "48x64 PNG"),
    ("crop photo.png to 10x10 as mid.png", lambda p: identify(p / "mid.png", "%wx%h") == "10x10"),
    ("make photo.png grayscale as grey.png", lambda p: identify(p / "grey.png", "%[colorspace]") == "Gray"),
]

MEDIA: list[tuple[str, Check]] = [
    ("convert talk.mp4 to talk.webm with vp8 and vorbis", lambda p: codecs(p / "talk.webm") == ["vp8", "vorbis"]),
    ("convert talk.mp4 to talk.mkv with opus", lambda p: codecs(p / "talk.mkv")[1] == "opus"),
    ("convert talk.mp4 to talk.mkv with h265", lambda p: codecs(p / "talk.mkv")[0] == "hevc"),
    ("extract the audio from talk.mp4 to talk.mp3", lambda p: codecs(p / "talk.mp3") == ["mp3"]),
    ("extract the sound of talk.mp4 as talk.ogg with vorbis", lambda p: codecs(p / "talk.ogg") == ["vorbis"]),
    ("resize talk.mp4 to 32x24 as small.mp4", lambda p: probe(p / "small.mp4")["streams"][0]["width"] == 32),
    ("trim talk.mp4 from 0.5s to 1.5s as cut.mp4", lambda p: abs(lasts(p / "cut.mp4") - 1) < 0.2),
    ("take a screenshot of talk.mp4 at 1s as shot.png", lambda p: identify(p / "shot.png") == "64x48 PNG"),
]

DOCUMENTS: list[tuple[str, Check]] = [
    ("convert README.md to docx", lambda p: "Some text here." in read_text_of(p / "README.docx")),
    ("convert README.md to odt", lambda p: "mimetype" in zipfile.ZipFile(p / "README.odt").namelist()),
    ("convert README.md to epub titled 'A book'", lambda p: "Some text here." in read_text_of(p / "README.epub")),
    ("convert README.md to html", lambda p: (p / "README.html").read_text().rstrip().endswith("</html>")),
    (
        "convert README.md to readme.html with a table of contents",
        lambda p: 'href="#part"' in (p / "readme.html").read_text(),
    ),
    ("convert data.csv to md", lambda p: "Ada" in (p / "data.md").read_text()),
    ("export README.md to rst", lambda p: "Title\n=====" in (p / "README.rst").read_text()),
]

FILES: list[tuple[str, Check]] = [
    ("rename photos/x.png to first.png", lambda p: (p / "photos/first.png").is_file()),
    ("copy the files in photos to archive", lambda p: (p / "archive/x.png").is_file()),
    ("move notes.txt to archive", lambda p: (p / "archive/notes.txt").is_file() and not (p / "notes.txt").exists()),
    ("create a folder called new1", lambda p: (p / "new1").is_dir()),
    ("delete notes.txt and data.csv", lambda p: not (p / "notes.txt").exists() and not (p / "data.csv").exists()),
    (
        "extract notes.txt from pics.tar into out",
        lambda p: [each.name for each in (p / "out").iterdir()] == ["notes.txt"],
    ),
    ("extract pics.tar into out", lambda p: (p / "out/notes.txt").read_text() == "foo bar\nbaz\n"),
    ("pack src as src.tgz", lambda p: (p / "src.tgz").read_bytes()[:2] == b"\x1f\x8b"),
    ("chmod 600 notes.txt", lambda p: (p / "notes.txt").stat().st_mode & 0o777 == 0o600),
    ("format the python files in src", lambda p: (p / "src/app.py").read_text() == 'x = {"a": 1}\n'),
]


@pytest.mark.parametrize(("words", "check"), [*PICTURES, *FILES, *DOCUMENTS])
def test_what_is_asked_for_comes_out(words: str, check: Check, place: Path) -> None:
    run(words, place)
    assert check(place)


@pytest.mark.release
@pytest.mark.slow
@pytest.mark.parametrize(("words", "check"), MEDIA)
def test_what_is_asked_of_media_comes_out(words: str, check: Check, place: Path) -> None:
    run(words, place)
    assert check(place)


@pytest.mark.release
@pytest.mark.parametrize(
    "words",
    [
        "enlarge photo.png by 20% to big.png",
        "shrink photo.png by 20% to small.png",
        "convert data.csv to json",
        "copy notes.txt to the clipboard",
        "create a file called x",
        "pack src as src.zip",
        "format all files in src",
        "extract other.txt and nothing else from pics.tar",
        "search for foo and replace foo with bar",
        "convert photo.png to mp3",
    ],
)
def test_what_no_tool_does_is_refused(words: str, place: Path) -> None:
    tools, _ = run_request.index_tools(str(place), {**ENVIRON, "XDG_CACHE_HOME": str(place.parent / "cache")})
    assert run_request.select_capability(words, tools, str(place)).chosen is None


def test_what_an_archive_overwrites_is_shown_before(place: Path) -> None:
    tools, _ = run_request.index_tools(str(place), {**ENVIRON, "XDG_CACHE_HOME": str(place.parent / "cache")})
    chosen = run_request.select_capability("extract pics.tar", tools, str(place)).chosen
    assert chosen is not None
    planned = run_request.preview_command(chosen, str(place), is_trusted=True)
    assert [(each.path, each.overwritten) for each in planned.effects] == [("notes.txt", True), ("photo.png", True)]
    chosen = run_request.select_capability("extract pics.tar into out", tools, str(place)).chosen
    assert chosen is not None
    planned = run_request.preview_command(chosen, str(place), is_trusted=True)
    assert [(each.path, each.overwritten) for each in planned.effects] == [
        ("out/notes.txt", False),
        ("out/photo.png", False),
    ]
    (place / "pics.tar").write_bytes(b"no archive")
    with pytest.raises(SlotsError, match="can't list what it would write"):
        run_request.preview_command(chosen, str(place), is_trusted=True)


def test_a_removed_folder_is_shown_with_its_files_and_too_many_are_refused(place: Path) -> None:
    tools, _ = run_request.index_tools(str(place), {**ENVIRON, "XDG_CACHE_HOME": str(place.parent / "cache")})
    chosen = run_request.select_capability("delete the src folder", tools, str(place)).chosen
    assert chosen is not None
    planned = run_request.preview_command(chosen, str(place), is_trusted=True)
    assert [each.path for each in planned.effects] == ["src", "src/app.js", "src/app.py"]
    for number in range(1001):
        (place / "src" / str(number)).touch()
    with pytest.raises(SlotsError, match="more than 1000 files"):
        run_request.preview_command(chosen, str(place), is_trusted=True)
