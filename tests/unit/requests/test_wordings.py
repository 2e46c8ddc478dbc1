"""Everyday wordings: what each class of them means over the tools that ship, and that none of them loses a word."""

from __future__ import annotations

import shlex
import tarfile
from pathlib import Path

import pytest
from asked_requests import ask, load_index
from hypothesis import given
from hypothesis import strategies as st

from verigate.discovery.tool_index import ToolIndex
from verigate.execution.direct_run import build_preview
from verigate.requests.accounting import SELECTING
from verigate.requests.vocabulary import DANGEROUS, NEGATIONS

FILES = (
    "notes.txt", "todo.txt", "a", "my file.txt", "README.md", "page.rst", "letter.docx", "main.py", "run.sh",
    "logo.png",
    "talk.mp4", "song.wav", "photos/x.jpg", "photos/y.jpg", "photos/icon.png", "logs/a.log", "logs/b.log",
    "old/one.txt",
    "docs/guide.md", "config/app.yaml",
)  # fmt: skip


@pytest.fixture(scope="module")
def index() -> ToolIndex:
    return load_index()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("everyday") / "under" / "place"
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    (root / "empty").mkdir()
    with tarfile.open(root / "site.tar.gz", "w:gz") as archive:
        archive.add(root / "docs", "docs")
    return root


def list_commands(words: str, index: ToolIndex, place: Path) -> list[str]:
    """The command lines without the fixed words of their tool's file; none where the request is refused."""
    chosen = ask(words, index, place).chosen
    if chosen is None:
        return []
    fixed = {word for word in chosen.capability.command.args if word.startswith("-")} | {"error", "empty_output"}
    lines = build_preview(chosen.capability, chosen.given, place).lines
    return [shlex.join(word for word in line if word not in fixed) for line in lines]


SAID = [
    # formats by their common names, with and without a verb
    ("photos/x.jpg to webp", "convert photos/x.jpg photos/x.webp"),
    ("make an mkv of talk.mp4", "ffmpeg -i talk.mp4 talk.mkv"),
    ("I want page.rst as a Word document", "pandoc --output=page.docx -- page.rst"),
    ("html version of README.md, please", "pandoc --output=README.html -- README.md"),
    ("convert README.md to plain text", "pandoc --to=plain --output=README.txt -- README.md"),
    ("song.wav must become an mp3", "ffmpeg -i song.wav song.mp3"),
    # names of results
    ("rotate logo.png by 90 degrees and call it side.png", "convert logo.png -rotate 90 side.png"),
    ("stretch logo.png to 30x40, result wide.png", "convert logo.png -resize '30x40!' wide.png"),
    ("scale logo.png to 50%, in a new file half.png", "convert logo.png -resize 50% half.png"),
    ("make a copy of docs under the name handbook", "cp -r -- docs handbook"),
    ("save logo.png and photos/icon.png as gifs",
     ["convert logo.png logo.gif", "convert photos/icon.png photos/icon.gif"]),
    # measures in words
    ("enlarge logo.png to twice its size as big.png", "convert logo.png -resize 200% big.png"),
    ("give logo.png a quarter turn to the left, as l.png", "convert logo.png -rotate 270 l.png"),
    ("turn logo.png ninety degrees to the left into l.png", "convert logo.png -rotate 270 l.png"),
    ("shrink logo.png to a width of 64 pixels, as small.png", "convert logo.png -resize 64x small.png"),
    ("make talk.mp4 120 px high, output low.mp4", "ffmpeg -i talk.mp4 -vf scale=-2:120 low.mp4"),
    ("keep the first two seconds of talk.mp4, new file start.mp4",
     "ffmpeg -i talk.mp4 -ss 00:00:00 -to 00:00:02 start.mp4"),
    ("cut song.wav from second 1 to second 2 into part.wav", "ffmpeg -i song.wav -ss 00:00:01 -to 00:00:02 part.wav"),
    ("convert talk.mp4 to mkv at 30 frames per second", "ffmpeg -i talk.mp4 -r 30 talk.mkv"),
    ("rotate photos/*.jpg by 180 degrees in place",
     ["convert photos/x.jpg -rotate 180 photos/x.jpg", "convert photos/y.jpg -rotate 180 photos/y.jpg"]),
    ("reduce logo.png by 25 percent as s.png", None),
    # wishes, states, sentences
    ("photos should be called pictures", "mv -- photos pictures"),
    ("the directory called empty can go", "rm -r -- empty"),
    ("remove the folder empty", "rm -r -- empty"),
    ("notes.txt is outdated, delete it", "rm -- notes.txt"),
    ("run.sh needs the execute bit", "chmod -- +x run.sh"),
    ("make a folder named out", "mkdir -- out"),
    ("I need three new folders: one1, two2 and three3", "mkdir -- one1 two2 three3"),
    ("create an empty folder called out", "mkdir -- out"),
    ("delete my file.txt", "rm -- 'my file.txt'"),
    ("I'd like to have main.py formatted", "ruff format -- main.py"),
    ("I'd like README.md checked by markdownlint", "markdownlint -- README.md"),
    ("I'd love logo.png cropped to 20x20, c.png", "convert center logo.png -crop 20x20+0+0 c.png"),
    # programs as verbs, and their flags
    ("cp -r docs backup-docs", "cp -r -- docs backup-docs"),
    ("mv notes.txt old", "mv -- notes.txt old"),
    ("rm -rf old", "rm -r -f -- old"),
    ("grep -i todo docs", "rg --ignore-case -- todo docs"),
    # permissions
    ("set the mode of notes.txt to rw-r-----", "chmod -- 640 notes.txt"),
    ("notes.txt must be readable and writable only by me, nobody else", "chmod -- 600 notes.txt"),
    ("take write access on notes.txt away from the group", "chmod -- g-w notes.txt"),
    ("make README.md writable for everyone", "chmod -- a+w README.md"),
    # all but some, kinds, members
    ("remove everything in logs except a.log", "rm -- logs/b.log"),
    ("move all jpgs in photos but not x.jpg to old", "mv -- photos/y.jpg old"),
    ("convert the pictures in photos to webp",
     ["convert photos/icon.png photos/icon.webp",
      "convert photos/x.jpg photos/x.webp", "convert photos/y.jpg photos/y.webp"]),
    ("extract docs/guide.md from site.tar.gz into empty", "tar --file=site.tar.gz --directory=empty -- docs/guide.md"),
    ("overwrite notes.txt with todo.txt", "cp -- todo.txt notes.txt"),
    ("copy notes.txt to todo.txt", "cp -- notes.txt todo.txt"),
    ("copy a to todo.txt", "cp -- a todo.txt"),
    # questions
    ("what's inside site.tar.gz?", "tar --file=site.tar.gz"),
    ("how big is logo.png?", "identify logo.png"),
    ("which files in docs mention goods?", "rg --files-with-matches -- goods docs"),
    ("how many lines of todo.txt have TODO in them?", "rg -- TODO todo.txt"),
    ("does main.py have errors?", "ruff check -- main.py"),
    ("is main.py formatted?", "ruff format -- main.py"),
    ("who wrote README.md?", "git blame -- README.md"),
    ("what did I change in notes.txt", "git diff -- notes.txt"),
    ("find secrets in config", "detect-secrets scan config"),
    ("search for 'main(' in docs", "rg --fixed-strings -- 'main(' docs"),
    ("pack docs without the .txt files into d.tgz", "tar --file=d.tgz '--exclude=*.txt' -- docs"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "expected"), SAID, ids=[words for words, _ in SAID])
def test_everyday_wordings(words: str, expected: str | list[str] | None, index: ToolIndex, place: Path) -> None:
    wanted = [] if expected is None else [expected] if isinstance(expected, str) else expected
    assert list_commands(words, index, place) == wanted


def test_nothing_is_moved_out_of_a_repository(index: ToolIndex, tmp_path: Path) -> None:
    place = tmp_path / "shop"
    (place / "logs").mkdir(parents=True)
    for words in ("move logs one folder up", "move logs to .."):
        assert ask(words, index, place).chosen is not None
    (place / ".git").mkdir()
    for words in ("move logs one folder up", "move logs to .."):
        assert ask(words, index, place).chosen is None


@pytest.mark.parametrize(
    "words",
    [
        "rename docs to old",  # it would be moved into it
        "rename notes.txt to todo.txt",
        "add README.md to site.tar.gz",  # git adds to no archive
        "lint notes.txt",  # spelling isn't meant
        "fix run.sh",  # what looks at scripts mends none
        "the photo photos/x.jpg looks great",
        "he deletes notes.txt",
        "list files with ERROR in logs and delete them",
        "make a folder called a",
        "set up a folder structure x/y/z",
        "make the photos executable",
        "notes.txt is fine, don't delete it",
        "if notes.txt is old, delete it",
        "all but one of the jpgs in photos should be converted to png",
        "remove everything in logs except c.log",
        "I copied todo.txt to old, delete it",
        "delete empty lines from notes.txt",
        "Move notes.txt to old. Delete todo.txt.",
        "notes.txt should not be deleted",
        "delete the links in README.md",
        "take the colour out of the sky in photos/x.jpg",
        "swap notes.txt and todo.txt",
        "does deleting notes.txt help?",
        "what happens if I remove config/app.yaml?",
        "notes.txt to todo.txt",
        "rm -rf *",
        "overwrite all txt files with notes.txt",
        "pack docs into site.tar.gz",  # it would be written anew
        "config must be readable and writable only by me",  # 600 closes a folder
        "give notes.txt to Ann",
        "make one html page of README.md and docs/guide.md",
        "pack docs into old",
        "check and format main.py",
        "the old logs can go",
        "convert photos to png",
        "scale logo.png by half a percent as x.png",
        "move it to old as well",  # nothing was named
        "copy them into logs",
        "turn README.md into docs/guide.md",  # it is there
        "resize photos/x.jpg to 50% into photos/y.jpg",
        "convert logo.png to photos/icon.png",
        "overwrite song.wav with talk.mp4",  # it would still be called .wav
        "copy logo.png to notes.txt",
    ],
)
def test_what_could_mean_something_else_is_refused(words: str, index: ToolIndex, place: Path) -> None:
    assert ask(words, index, place).chosen is None


HARMING = [
    "photos/x.jpg should be rotated by 90 degrees and saved as r.jpg", "old/one.txt can go", "cp notes.txt b.txt",
    "overwrite notes.txt with todo.txt", "throw notes.txt in the bin", "make run.sh executable",
    "give everyone write access to notes.txt", "notes.txt should be called memo.txt",
    "I want README.md as a Word document",
    "remove everything in logs except a.log", "make an mkv of talk.mp4",
    "make a copy of notes.txt under the name n.txt",
    "old belongs in docs", "the directory called empty can go", "logo.png to webp",
]  # fmt: skip


@given(data=st.data())
def test_a_word_that_narrows_is_never_lost(data: st.DataObject, index: ToolIndex, place: Path) -> None:
    letters = st.text("bcdfghjklmnpqrstvwxz", min_size=5, max_size=9)
    word = data.draw(st.sampled_from(sorted((SELECTING | NEGATIONS | DANGEROUS) - {"only"})) | letters)
    parts = data.draw(st.sampled_from(HARMING)).split()
    parts.insert(data.draw(st.integers(0, len(parts))), word)
    chosen = ask(" ".join(parts), index, place).chosen
    if chosen is not None and (chosen.capability.destructive or chosen.capability.is_meant_to_write):
        assert word in str(chosen.given), (" ".join(parts), chosen.given)


@given(data=st.data())
def test_a_question_changes_nothing(data: st.DataObject, index: ToolIndex, place: Path) -> None:
    verb = data.draw(
        st.sampled_from(["deleted", "moved", "changed", "formatted", "converted", "fixed", "removed", "renamed"])
    )
    name = data.draw(st.sampled_from([each for each in FILES if " " not in each and each != "a"]))
    form = data.draw(
        st.sampled_from(
            ["what is {v} in {n}?", "is {n} {v}?", "who {v} {n}?", "which files are {v} in {n}?", "does {n} get {v}?",
             "how is {n} {v}?", "what was {v} in {n}", "where is {n} {v}?", "was {n} {v}?"]
        )
    )  # fmt: skip
    chosen = ask(form.format(v=verb, n=name), index, place).chosen
    assert chosen is None or not (chosen.capability.destructive or chosen.capability.is_meant_to_write), form
