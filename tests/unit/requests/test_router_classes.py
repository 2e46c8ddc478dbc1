"""What single classes of words say in a request: politeness, absence, names, dates, folders, what is told as done."""

from __future__ import annotations

from pathlib import Path

import pytest
from asked_requests import load_index

from verigate.discovery.tool_index import ToolIndex
from verigate.execution.direct_run import build_preview
from verigate.requests.dates_and_names import count_name_words, parse_date
from verigate.requests.politeness import strip_politeness
from verigate.requests.selection import route_request
from verigate.requests.tokenizer import tokenize
from verigate.requests.wordings.putting import put_as_order
from verigate.requests.working_folder import WorkingFolder
from verigate.tools.slots import SlotsError


@pytest.fixture(scope="module")
def index() -> ToolIndex:
    return load_index()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "build" / "deep").mkdir(parents=True)
    for name in ("a.txt", "b.txt", "main.py", "build/x.o"):
        (tmp_path / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("if you don't mind, delete a.txt", "delete a.txt"),
        ("delete a.txt when you get a chance, thanks a lot", "delete a.txt"),
        ("it would be great if you could delete a.txt", "delete a.txt"),
        ("thx", "thx"),
        ("delete a.txt if you don't need it", "delete a.txt if you don't need it"),
        ("if you can find a.txt delete it", "if you can find a.txt delete it"),
        ("delete 'if you please'", "delete 'if you please'"),
    ],
)
def test_only_what_is_polite_is_left_out(words: str, left: str, tmp_path: Path) -> None:
    plain = strip_politeness(tokenize(words), WorkingFolder(str(tmp_path)))
    assert " ".join(token.raw for token in plain) == left


@pytest.mark.parametrize("words", ["delete b and ty", "thanks delete b", "delete b and thank you"])
def test_a_polite_word_that_is_a_name_here_stays(words: str, tmp_path: Path) -> None:
    for name in ("ty", "thanks", "you"):
        (tmp_path / name).touch()
    plain = strip_politeness(tokenize(words), WorkingFolder(str(tmp_path)))
    assert " ".join(token.raw for token in plain) == words


@pytest.mark.parametrize(("words", "left"), [("delete b and now", "delete b and now"), ("delete b please", "delete b")])
def test_a_word_at_the_end_that_is_a_name_here_stays(words: str, left: str, tmp_path: Path) -> None:
    (tmp_path / "now").touch()
    put = put_as_order(tokenize(words), WorkingFolder(str(tmp_path)))
    assert " ".join(token.raw for token in put.tokens) == left


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("2 weeks", ("2 weeks ago", 2)),
        ("2 weeks ago in", ("2 weeks ago", 3)),
        ("last month by", ("last month", 2)),
        ("2024-01-31 of", ("2024-01-31", 1)),
        ("week", ("1 week ago", 1)),
        ("forever", None),
        ("", None),
    ],
)
def test_dates_in_words(words: str, expected: tuple[str, int] | None) -> None:
    assert parse_date(words.split()) == expected


@pytest.mark.parametrize(("words", "length"), [("alice in lib", 1), ("Jane Doe since", 2), ("date", 0), ("", 0)])
def test_names_of_people(words: str, length: int) -> None:
    assert count_name_words(words.split()) == length


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("delete build/", "rm -r -- build/"),
        ("delete the build folder", "rm -r -- build"),
        ("copy build to old", "cp -r -- build old"),
        ("untrack build/", "git --no-pager --literal-pathspecs rm -r -- build/"),
        (
            "audit a.txt ignoring dependencies",
            "pip-audit --format=json --progress-spinner=off --requirement=a.txt --no-deps",
        ),
        ("make a folder called copy", "mkdir -- copy"),
        (
            "check whether main.py is formatted",
            "ruff format --check --output-format=sarif --no-cache --force-exclude -- main.py",
        ),
        ("I want a.txt deleted", "rm -- a.txt"),
    ],
)
def test_what_is_said_in_other_words(index: ToolIndex, place: Path, words: str, line: str) -> None:
    chosen = route_request(words, index, WorkingFolder(str(place))).chosen
    assert chosen is not None
    assert [" ".join(each) for each in build_preview(chosen.capability, chosen.given, place).lines] == [line]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("delete build", "build is a folder"),
        ("delete a.txt and build", "build is a folder"),
        ("copy a.txt and b.txt to nowhere", "several files need a folder as destination, and nowhere isn't one"),
        ("move *.txt to nowhere", "several files need a folder as destination, and nowhere isn't one"),
        ("show the deleted file a.txt", None),
        ("show restored main.py", None),
        ("I want the deleted file a.txt", None),
        ("which files were deleted in build", None),
        ("check whether a.txt can be deleted", None),
        ("check if a.txt exists and delete it", None),
        ("make a folder called copy and delete a.txt", None),
        ("audit a.txt without warnings", None),
        ("commit main.py", None),
    ],
)
def test_what_is_refused(index: ToolIndex, place: Path, words: str, problem: str | None) -> None:
    selection = route_request(words, index, WorkingFolder(str(place)))
    assert selection.chosen is None
    assert problem in {None, selection.problem}


def test_a_pattern_that_means_folders_needs_the_word_for_them(index: ToolIndex, place: Path) -> None:
    chosen = route_request("delete everything in build", index, WorkingFolder(str(place))).chosen
    assert chosen is not None
    with pytest.raises(SlotsError, match="build/deep is a folder"):
        build_preview(chosen.capability, chosen.given, place)
    (place / "build" / "deep").rmdir()
    assert build_preview(chosen.capability, chosen.given, place).lines == (("rm", "--", "build/x.o"),)
