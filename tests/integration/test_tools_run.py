"""The shipped tools on real files, called as their TOML says: coreutils, tar, ffmpeg, ImageMagick, pandoc, git, rg."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import shipped_tools
from hypothesis import given
from hypothesis import strategies as st
from tool_lines_read import read_lines

from verigate.config.tool_definition import read_tool
from verigate.errors import ExecutionError, UsageError
from verigate.execution import direct_run
from verigate.tools.effects import AffectedPath, list_affected_paths
from verigate.tools.model import Effect
from verigate.tools.slots import SlotsError, fill_slots

ENVIRON = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}
AWKWARD = (
    "-rf",
    "$(touch pwned)",
    "a b",
    "`x`",
    "x;touch pwned",
    "a\nb",
    "host:x",
    "@list",
    "=",
    "--",
    "*.txt",
    "'",
    '"',
)


def act(name: str, folder: Path, **slots: Any) -> direct_run.CommandPreview:
    """Run a capability in ``folder``; it has to succeed, and to be read back from its command lines."""
    planned = direct_run.build_preview(shipped_tools.capability(name), slots, folder)
    assert read_lines(planned.capability, planned.lines) == planned.filled
    assert direct_run.run_command(planned, ENVIRON) == 0, planned.lines
    return planned


def put(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"content of {name}")


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_every_shipped_tool_is_valid_and_reads_back_what_it_needs() -> None:
    assert len(shipped_tools.shipped()) == len(list(shipped_tools.TOOLS.glob("*.toml"))) == 17
    for path in shipped_tools.TOOLS.glob("*.toml"):
        assert read_tool(path.read_bytes(), path.name)[1] == (), path
        assert path.read_text().startswith("#:schema ../../schemas/adapter.schema.json\n"), path


def test_files_with_awkward_names_are_files(tmp_path: Path) -> None:
    put(tmp_path, *AWKWARD)
    act("unix:mkdir", tmp_path, directory=["kept", "-p", "moved"])
    act("unix:copy", tmp_path, source=list(AWKWARD), destination="kept")
    assert names(tmp_path / "kept") == sorted(AWKWARD)
    act("unix:move", tmp_path, source=list(AWKWARD), destination="moved/")
    assert names(tmp_path / "moved") == sorted(AWKWARD)
    assert {name: (tmp_path / "moved" / name).read_text() for name in AWKWARD} == {
        n: f"content of {n}" for n in AWKWARD
    }
    act("tar:create", tmp_path / "moved", archive="../host:a.tar.gz", source=list(AWKWARD))
    act("unix:mkdir", tmp_path, directory="out")
    act("tar:extract", tmp_path, archive="host:a.tar.gz", directory="out")
    assert names(tmp_path / "out") == sorted(AWKWARD)
    act("unix:remove", tmp_path / "out", target=list(AWKWARD))
    assert names(tmp_path / "out") == []
    assert names(tmp_path) == sorted(
        ["-p", "host:a.tar.gz", "kept", "moved", "out", *(f"{f}/{n}" for f in ("kept", "moved") for n in AWKWARD)]
    )


def test_unix_tools_do_what_their_slots_say(tmp_path: Path) -> None:
    put(tmp_path, "a.txt", "b.txt", "sub/c.txt", "there/a.txt")
    (tmp_path / "there/a.txt").write_text("mine")
    act("unix:copy", tmp_path, source="*.txt", destination="there", no_clobber=True)
    assert (tmp_path / "there/a.txt").read_text() == "mine"
    assert (tmp_path / "there/b.txt").read_text() == "content of b.txt"
    act("unix:copy", tmp_path, source=["sub"], destination="there", recursive=True, preserve=True)
    assert (tmp_path / "there/sub/c.txt").is_file()
    act("unix:link", tmp_path, source="a.txt", destination="link", symbolic=True)
    assert (tmp_path / "link").readlink() == Path("a.txt")
    act("unix:chmod", tmp_path, mode="-r", target=["a.txt"])
    act("unix:chmod", tmp_path, mode="640", target=["b.txt"])
    assert ((tmp_path / "a.txt").stat().st_mode & 0o777, (tmp_path / "b.txt").stat().st_mode & 0o777) == (0o200, 0o640)
    act("unix:remove", tmp_path, target=["there", "sub/c.*"], recursive=True)
    assert names(tmp_path) == ["a.txt", "b.txt", "link", "sub"]


def test_archives_are_packed_listed_and_unpacked(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    put(tmp_path, "in/a.txt", "in/b.log", "in/deep/c.txt")
    act("tar:create", tmp_path, archive="x.tar.xz", source="in", exclude=["*.log"])
    assert (tmp_path / "x.tar.xz").read_bytes()[:6] == b"\xfd7zXZ\0"
    act("tar:list", tmp_path, archive="x.tar.xz")
    assert capfd.readouterr().out.split() == ["in/", "in/a.txt", "in/deep/", "in/deep/c.txt"]
    (tmp_path / "out").mkdir()
    act("tar:extract", tmp_path, archive=["x.tar.xz"], directory="out", strip=1)
    assert names(tmp_path / "out") == ["a.txt", "deep", "deep/c.txt"]


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("video")
    sources = ("-f", "lavfi", "-i", "testsrc=size=320x240:rate=10:duration=4", "-f", "lavfi", "-i", "sine=duration=4")
    command = ("ffmpeg", "-loglevel", "error", *sources, "-c:v", "mpeg4", "-c:a", "aac", str(folder / "-in.mp4"))
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return folder


def probed(path: Path) -> Any:
    shown = ("ffprobe", "-loglevel", "error", "-show_format", "-show_streams", "-of", "json", str(path))
    return json.loads(subprocess.run(shown, check=True, capture_output=True).stdout)


@pytest.mark.slow
def test_ffmpeg_converts_cuts_resizes_and_extracts(video: Path, tmp_path: Path) -> None:
    (tmp_path / "-in.mp4").symlink_to(video / "-in.mp4")
    (tmp_path / "b.mp4").symlink_to(video / "-in.mp4")
    act("ffmpeg:trim", tmp_path, source="-in.mp4", start="00:00:01", duration="2s", destination="cut.mkv")
    assert float(probed(tmp_path / "cut.mkv")["format"]["duration"]) == pytest.approx(2, abs=0.2)
    act("ffmpeg:resize", tmp_path, source=["-in.mp4", "b.mp4"], size="160 x 120", destination="small-*.avi")
    for name in ("small--in.avi", "small-b.avi"):
        stream = probed(tmp_path / name)["streams"][0]
        assert (stream["width"], stream["height"]) == (160, 120)
    act("ffmpeg:extract-audio", tmp_path, source="b.mp4", audio_codec="flac", destination="b.flac")
    assert [stream["codec_name"] for stream in probed(tmp_path / "b.flac")["streams"]] == ["flac"]
    act("ffmpeg:frame", tmp_path, source="b.mp4", at="0:01", destination="frame.png")
    assert probed(tmp_path / "frame.png")["streams"][0]["width"] == 320
    act(
        "ffmpeg:convert",
        tmp_path,
        source="b.mp4",
        video_codec="vp8",
        audio_codec="copy",
        video_bitrate="200kbps",
        frame_rate="5 fps",
        destination="c.mkv",
    )
    streams = probed(tmp_path / "c.mkv")["streams"]
    assert [stream["codec_name"] for stream in streams] == ["vp8", "aac"]
    assert streams[0]["avg_frame_rate"] == "5/1"
    act("ffmpeg:verify", tmp_path, source="c.mkv")
    act("ffmpeg:probe", tmp_path, source=["c.mkv", "-in.mp4"])


@pytest.mark.slow
def test_ffmpeg_writes_over_nothing_and_finds_what_is_broken(video: Path, tmp_path: Path) -> None:
    put(tmp_path, "out.mkv")
    planned = direct_run.build_preview(
        shipped_tools.capability("ffmpeg:convert"),
        {"source": str(video / "-in.mp4"), "destination": "out.mkv"},
        tmp_path,
    )
    assert direct_run.run_command(planned, ENVIRON) != 0
    assert (tmp_path / "out.mkv").read_text() == "content of out.mkv"
    broken = direct_run.build_preview(shipped_tools.capability("ffmpeg:verify"), {"source": "out.mkv"}, tmp_path)
    assert direct_run.run_command(broken, ENVIRON) != 0


def test_pictures_have_the_size_that_was_asked_for(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.ppm").write_bytes(b"P6 8 4 255\n" + bytes(range(96)))
    (tmp_path / "-b.ppm").write_bytes((tmp_path / "a.ppm").read_bytes())
    (tmp_path / "small").mkdir()
    act("imagemagick:resize", tmp_path, source="*.ppm", size="4x4", destination="small/*.png")
    act("imagemagick:stretch", tmp_path, source="a.ppm", size="3x5", destination="stretched.png")
    act("imagemagick:scale-by", tmp_path, source="a.ppm", percent="200%", destination="large.gif")
    act("imagemagick:rotate", tmp_path, source="-b.ppm", degrees="90°", destination="turned.png")
    act("imagemagick:crop", tmp_path, source="a.ppm", size="2x2", destination="part.ppm")
    act("imagemagick:grayscale", tmp_path, source="a.ppm", destination="grey.pgm")
    act("imagemagick:convert", tmp_path, source="a.ppm", quality=80, strip=True, destination="msl:x.jpg")
    assert (tmp_path / "msl:x.jpg").read_bytes()[:3] == b"\xff\xd8\xff"
    capfd.readouterr()
    act(
        "imagemagick:identify",
        tmp_path,
        source=["small/a.png", "small/-b.png", "stretched.png", "large.gif", "turned.png"],
    )
    shown = [line.split()[2] for line in capfd.readouterr().out.splitlines()]
    assert shown == ["4x2", "4x2", "3x5", "16x8", "4x8"]
    assert (tmp_path / "part.ppm").read_bytes().startswith(b"P6\n2 2\n")
    assert (tmp_path / "grey.pgm").read_bytes().startswith(b"P5\n8 4\n")


def test_documents_are_converted_and_checked(tmp_path: Path) -> None:
    (tmp_path / "-d.md").write_text("# Title\n\nSome *text*.\n")
    (tmp_path / "e.md").write_text("- one\n- two\n")
    act("pandoc:convert", tmp_path, source=["-d.md", "e.md"], destination="out-*.html", to="html5")
    assert '<h1 id="title">Title</h1>' in (tmp_path / "out--d.html").read_text()
    assert "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n" in (tmp_path / "out-e.html").read_text()
    act("pandoc:convert", tmp_path, source="e.md", destination="e.html", standalone=True, title="$(x) -rf", toc=True)
    assert "<title>$(x) -rf</title>" in (tmp_path / "e.html").read_text()
    act("pandoc:check", tmp_path, source="*.md")


def test_ripgrep_and_git_take_names_and_patterns_as_they_are(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    put(tmp_path, "-rf", "a.txt", ":(top)x", ".hidden")
    subprocess.run(("git", "init", "-q"), cwd=tmp_path, check=True)
    act("ripgrep:search", tmp_path, pattern="CONTENT OF", source=["-rf", "a.txt"], ignore_case=True)
    assert capfd.readouterr().out.splitlines() == ["./-rf:1:1:content of -rf", "a.txt:1:1:content of a.txt"]
    (tmp_path / "a.txt").write_text("--pre=touch pwned\n")
    act("ripgrep:search", tmp_path, pattern="--pre=touch", fixed=True)
    assert capfd.readouterr().out.splitlines() == ["./a.txt:1:1:--pre=touch pwned"]
    act("git:stage", tmp_path, path=["-rf", ":(top)x"])
    act("git:status", tmp_path)
    assert [line for line in capfd.readouterr().out.splitlines() if line.startswith("A")] == ["A  -rf", "A  :(top)x"]
    assert not (tmp_path / "pwned").exists()


def destructive(folder: Path) -> direct_run.CommandPreview:
    return direct_run.build_preview(
        shipped_tools.capability("unix:move"), {"source": ["a", "gone"], "destination": "there"}, folder
    )


def test_a_preview_says_what_is_there_overwritten_and_removed_and_touches_nothing(tmp_path: Path) -> None:
    put(tmp_path, "a", "there/a", "b")
    planned = destructive(tmp_path)
    assert [direct_run.quote_command(line) for line in planned.lines] == ["mv -- a gone there"]
    seen = [(each.path, each.effect.value, each.exists, each.overwritten) for each in planned.effects]
    assert seen == [
        ("a", "removes", True, False),
        ("gone", "removes", False, False),
        ("there/a", "writes", True, True),
        ("there/gone", "writes", False, False),
    ]
    copied = direct_run.build_preview(
        shipped_tools.capability("unix:copy"), {"source": ["a"], "destination": "b"}, tmp_path
    )
    assert [(each.path, each.overwritten) for each in copied.effects] == [("b", True)]
    assert names(tmp_path) == ["a", "b", "there", "there/a"]


@pytest.mark.parametrize(
    ("yes", "terminal", "answer", "runs"),
    [(True, False, False, True), (False, True, True, True), (False, True, False, False)],
)
def test_what_is_destructive_needs_a_yes(yes: bool, terminal: bool, answer: bool, runs: bool, tmp_path: Path) -> None:
    assert direct_run.is_agreed(destructive(tmp_path), yes=yes, terminal=terminal, ask=lambda _: answer) is runs


def test_without_a_terminal_and_without_yes_it_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="destructive") as caught:
        direct_run.is_agreed(destructive(tmp_path), yes=False, terminal=False, ask=lambda _: True)
    assert caught.value.exit_code == 2
    harmless = direct_run.build_preview(shipped_tools.capability("unix:mkdir"), {"directory": "x"}, tmp_path)
    assert direct_run.is_agreed(harmless, yes=False, terminal=False, ask=lambda _: False)


def test_the_first_failure_ends_it_and_a_missing_program_is_named(tmp_path: Path) -> None:
    planned = direct_run.build_preview(
        shipped_tools.capability("tar:list"), {"archive": ["none.tar", "more.tar"]}, tmp_path
    )
    assert direct_run.run_command(planned, ENVIRON) == 2
    with pytest.raises(ExecutionError, match="tar is not installed"):
        direct_run.run_command(planned, {"PATH": str(tmp_path)})
    with pytest.raises(SlotsError, match="no file matches"):
        direct_run.build_preview(shipped_tools.capability("tar:list"), {"archive": "*.tar"}, tmp_path)


def test_what_is_not_declared_counts_as_the_worst() -> None:
    move = shipped_tools.capability("unix:move")
    capability = move._replace(slots=tuple(slot._replace(effect=None) for slot in move.slots))
    found = list_affected_paths(capability, fill_slots(capability, {"source": ["a", "b"], "destination": "c/"}))
    assert found == (
        AffectedPath("a", Effect.CHANGES),
        AffectedPath("b", Effect.CHANGES),
        AffectedPath("c/a", Effect.WRITES),
        AffectedPath("c/b", Effect.WRITES),
    )


@contextmanager
def _no_shell(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[Any, dict[str, Any]]]]:
    started: list[tuple[Any, dict[str, Any]]] = []

    class Started:
        def __init__(self, line: Any, **options: Any) -> None:
            started.append((line, options))

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def wait(self) -> int:
            return 0

    monkeypatch.setattr(subprocess, "Popen", Started)
    yield started


def test_no_input_leads_to_a_shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=20)

    @given(st.lists(texts | st.sampled_from(AWKWARD), min_size=1, max_size=4), texts)
    def run(sources: list[str], destination: str) -> None:
        # Patterns would be looked for on the disk.
        given_sources = [source for source in sources if not set("*?[") & set(source)] or ["a"]
        with _no_shell(monkeypatch) as started:
            planned = direct_run.build_preview(
                shipped_tools.capability("unix:move"), {"source": given_sources, "destination": destination}, tmp_path
            )
            direct_run.run_command(planned, ENVIRON)
        ((line, options),) = started
        assert options.get("shell") is None
        assert Path(options["executable"]).name == "mv"
        assert line[:2] == ("mv", "--")
        assert [os.path.normpath(word) for word in line[2:]] == [
            os.path.normpath(path) for path in (*given_sources, destination)
        ]

    run()


def test_the_order_of_what_is_given_does_not_matter_but_of_a_list(tmp_path: Path) -> None:
    def move(**slots: Any) -> direct_run.CommandPreview:
        return direct_run.build_preview(shipped_tools.capability("unix:move"), slots, tmp_path)

    assert (
        move(source=["a"], destination="b", verbose=True).lines
        == move(verbose=True, destination="b", source=["a"]).lines
    )
    put(tmp_path, "z.txt", "m.txt", "a.txt")
    assert move(source="*.txt", destination="b").lines == (("mv", "--", "a.txt", "m.txt", "z.txt", "b"),)
