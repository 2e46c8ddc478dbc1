"""What a request must say, whatever its words are: parts, numbers, names, kinds, free text, units, protected paths.

Each property takes words from lists, or from Hypothesis, and a folder of real files; the tools are those that ship.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asked_requests import ask, load_index
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pint import UnitRegistry

from verigate.discovery.tool_index import ToolIndex
from verigate.execution.direct_run import build_preview
from verigate.requests.accounting import NUMBERS, SELECTING, TYPE_NOUNS
from verigate.requests.outcome import Selection
from verigate.requests.units import parse_quantity
from verigate.requests.vocabulary import DANGEROUS, FILLER_WORDS, KINDS, NEGATIONS, QUANTIFIERS
from verigate.requests.working_folder import WorkingFolder
from verigate.tools.effects import resolve_effect
from verigate.tools.matching import matches
from verigate.tools.model import Category, Effect, SlotType
from verigate.tools.slots import SlotsError

FILES = (
    "notes.txt", "todo.txt", "data.csv", "config.yaml", "thesis.docx", "README.md", "main.py", "photo.jpg", "logo.png",
    "talk.mp4", "song.mp3", "logs/a.log", "logs/b.log", "photos/x.jpg", "photos/y.jpg", "photos/z.jpg", "src/app.py",
    "src/app.js", "src/deep/util.py", "archive/old.txt",
)  # fmt: skip
PLAIN = [name for name in FILES if "/" not in name]
REMOVING = ["delete", "remove", "erase", "trash", "rm", "discard", "get rid of", "untrack"]
TAKING = ["move", "transfer", "relocate", "shift", "put"]
WITHIN = ["of", "from", "in", "inside", "within", "out of", "from within"]
DETERMINERS = ["a", "an", "the", "one", "two", "every", "all", "any", "some", "this", "my", "that", "the first", ""]
NOUNS = sorted(
    {*TYPE_NOUNS, *KINDS}
    | {"line", "lines", "row", "column", "key", "value", "entry", "field", "member", "section", "header", "word"}
)


@pytest.fixture(scope="module")
def index() -> ToolIndex:
    return load_index()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("deep") / "under" / "place"
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    return root


def list_harmed(selection: Selection, place: Path) -> set[str]:
    """The paths that the chosen command would remove or change; none where nothing is chosen or it can't be built."""
    if selection.chosen is None:
        return set()
    try:
        effects = build_preview(selection.chosen.capability, selection.chosen.given, place).effects
    except SlotsError:
        return set()
    return {each.path for each in effects if each.effect in {Effect.REMOVES, Effect.CHANGES}}


def writes(selection: Selection) -> bool:
    chosen = selection.chosen
    return chosen is not None and (chosen.capability.destructive or chosen.capability.is_meant_to_write)


words_of = st.sampled_from


@given(data=st.data())
def test_a_part_of_a_file_never_harms_the_file(data: st.DataObject, index: ToolIndex, place: Path) -> None:
    file, noun = data.draw(words_of(PLAIN)), data.draw(words_of(NOUNS))
    determiner, within = data.draw(words_of(DETERMINERS)), data.draw(words_of(WITHIN))
    removing = data.draw(st.booleans())
    verb = data.draw(words_of(REMOVING if removing else TAKING))
    words = " ".join(filter(None, [verb, determiner, noun, within, file, "" if removing else "to archive"]))
    assert file not in list_harmed(ask(words, index, place), place), words


@given(data=st.data())
def test_nothing_is_taken_out_of_a_file_by_removing_both(data: st.DataObject, index: ToolIndex, place: Path) -> None:
    first, second = data.draw(st.lists(words_of(PLAIN), min_size=2, max_size=2, unique=True))
    words = f"{data.draw(words_of(REMOVING))} {first} {data.draw(words_of(WITHIN))} {second}"
    assert not list_harmed(ask(words, index, place), place), words


@given(data=st.data())
def test_a_number_is_the_number_of_files(data: st.DataObject, index: ToolIndex, place: Path) -> None:
    number = data.draw(words_of(sorted(NUMBERS)) | st.integers(0, 40).map(str))
    value = NUMBERS.get(number, int(number) if number.isdigit() else -1)
    article = data.draw(words_of(["", "the "]))
    named = data.draw(
        words_of(["jpgs in photos", "files in photos", "logs/*.log", "photos/*.jpg", "notes.txt, todo.txt"])
    )
    words = f"{data.draw(words_of(REMOVING))} {article}{number} {named}"
    harmed = list_harmed(ask(words, index, place), place)
    assert not harmed or len(harmed) == value, (words, harmed)


@given(data=st.data())
def test_what_chooses_among_files_is_asked(data: st.DataObject, index: ToolIndex, place: Path) -> None:
    chooses = words_of(sorted(SELECTING | NEGATIONS | (DANGEROUS - {"before", "after", "since", "until", "today"})))
    named = data.draw(
        words_of(["jpgs in photos", "photos/*.jpg", "notes.txt and todo.txt", "log files in logs", "main.py"])
    )
    parts = [data.draw(words_of(REMOVING)), *named.split()]
    parts.insert(data.draw(st.integers(1, len(parts))), data.draw(chooses))
    words = " ".join(parts)
    assert not list_harmed(ask(words, index, place), place), words


@given(data=st.data())
def test_an_unknown_word_is_refused_or_a_name(data: st.DataObject, index: ToolIndex, place: Path) -> None:
    known = [
        "delete notes.txt", "move notes.txt to archive", "copy photo.jpg to archive", "convert logo.png to webp",
        "rename notes.txt to other.txt", "format main.py", "resize photo.jpg to 20x20 as s.jpg", "pack src as s.tgz",
        "make the file todo.txt executable by chmod 755", "convert README.md to html", "make a folder called new1",
    ]  # fmt: skip
    word = data.draw(st.text("bcdfghjklmnpqrstvwxz", min_size=5, max_size=9))
    parts = data.draw(words_of(known)).split()
    parts.insert(data.draw(st.integers(0, len(parts))), word)
    chosen = ask(" ".join(parts), index, place)
    assert not writes(chosen) or word in str(chosen.chosen and chosen.chosen.given), " ".join(parts)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_the_name_of_an_existing_file_wins_or_is_asked(
    data: st.DataObject, index: ToolIndex, tmp_path_factory: pytest.TempPathFactory
) -> None:
    word = data.draw(words_of(sorted(FILLER_WORDS | QUANTIFIERS | DANGEROUS)))
    assume("/" not in word and word != "->")
    place = tmp_path_factory.mktemp("named")
    for name in (word, "b", "notes.txt"):
        (place / name).touch()
    form = data.draw(words_of(["delete {} and b", "delete b and {}", "delete {}", "delete {} b", "delete b, {}"]))
    words = form.format(word)
    wanted = {name for name in (word, "b") if name in form.format(word).replace(",", "").split()}
    assert list_harmed(ask(words, index, place), place) in (set(), wanted), words


@given(data=st.data())
def test_every_expanded_file_belongs_to_the_domain(
    data: st.DataObject, index: ToolIndex, tmp_path_factory: pytest.TempPathFactory
) -> None:
    ends = st.sampled_from([".py", ".js", ".md", ".png", ".jpg", ".sh", ".txt", ".mp4", ""])
    names = data.draw(st.lists(st.tuples(st.text("abc", min_size=1, max_size=3), ends), min_size=1, max_size=5))
    place = tmp_path_factory.mktemp("kinds")
    (place / "src").mkdir()
    for stem, end in names:
        (place / "src" / f"{stem}{end}").touch()
    verb = data.draw(words_of(["format", "fix", "rotate", "convert", "shrink", "fix spelling in"]))
    what = data.draw(
        words_of(["all files in src", "everything in src", "src/*", "each file in src", "the files in src"])
    )
    rest = {"rotate": " by 90 into out/", "convert": " to png", "shrink": " to 50% into out/"}.get(verb, "")
    chosen = ask(f"{verb} {what}{rest}", index, place)
    if chosen.chosen is None:
        return
    capability = chosen.chosen.capability
    around = WorkingFolder(str(place))
    for slot in capability.slots_of(Category.TARGET):
        raw = chosen.chosen.given.get(slot.name, ())
        for pattern in raw if isinstance(raw, list) else [raw]:
            outside = [
                path for path in around.expand(pattern) if not matches(capability.domain, path, around.mime_type)
            ]
            assert not outside or resolve_effect(capability, slot) is Effect.READS, (verb, what, outside)


@given(data=st.data())
def test_text_without_quotes_is_one_word_or_stands_after_its_marker(
    data: st.DataObject, index: ToolIndex, place: Path
) -> None:
    turning = words_of(
        ["and", "or", "not", "excluding", "without", "except", "then", "but", "larger", "than", "replace"]
    )
    letters = st.text("abcdefghijklm", min_size=3, max_size=6)
    parts = [data.draw(letters), data.draw(turning), *data.draw(st.lists(letters | turning, max_size=3))]
    words = f"{data.draw(words_of(['search for', 'find', 'grep', 'look for', 'count']))} {' '.join(parts)} in src"
    chosen = ask(words, index, place).chosen
    assert chosen is None or " " not in str(chosen.given.get("pattern", "")), words


_REGISTRY: Any = UnitRegistry()
_SPOKEN = sorted(name for name in dir(_REGISTRY) if name.isalpha() and len(name) <= 20)


@settings(deadline=None)
@given(st.integers(1, 10**6), st.sampled_from(_SPOKEN), st.sampled_from(["", "fps", "Mbps", "%", "deg", "s", "MB"]))
def test_only_units_of_a_declared_dimension_are_converted(number: int, unit: str, declared: str) -> None:
    found = parse_quantity(f"{number} {unit}", {declared: declared})
    if found is None:
        return
    asked = {"fps": "frame/s", "Mbps": "Mbit/s", "s": "s", "MB": "MB"}[declared]  # no other has a dimension
    registry: Any = UnitRegistry()
    registry.define("frame = [] = frames")
    spoken = registry.parse_expression(f"{number} {unit}")
    assert not spoken.dimensionless
    wanted = spoken.to("1/s" if declared == "fps" else asked).magnitude
    assert float(found.removesuffix(declared)) == pytest.approx(float(wanted))


def test_degrees_are_degrees_of_nothing_else(index: ToolIndex, place: Path) -> None:
    assert parse_quantity("90 degrees", {"fps": "", "": ""}) is None
    assert ask("convert talk.mp4 to talk.webm at 90 degrees", index, place).chosen is None
    assert ask("rotate photo.jpg by 2 radians as r.jpg", index, place).chosen is None


def _spell(data: st.DataObject, place: Path) -> str:
    """A path to a protected folder, spelled by steps up and down."""
    steps = data.draw(st.lists(words_of([".", "src/..", "./", "photos/../src/.."]), max_size=3))
    end = data.draw(
        words_of(["", ".", "..", "../..", "../../..", ".git", ".git/config", str(place), str(place.parent), "/"])
    )
    return posixpath.join(*steps, end) if steps else (end or ".")


@given(data=st.data())
def test_protected_paths_are_never_touched(data: st.DataObject, index: ToolIndex, place: Path) -> None:
    (place / ".git").mkdir(exist_ok=True)
    (place / ".git" / "config").touch()
    path = _spell(data, place)
    for form in ("delete '{}' recursively", "delete the folder '{}'", "move '{}' to archive", "chmod 777 '{}'"):
        words = form.format(path)
        assert not list_harmed(ask(words, index, place), place), words


def _list_removals(index: ToolIndex) -> Iterator[Any]:
    for number in {number for numbers in index.aliases.values() for number in numbers}:
        for capability in index.tool(number).capabilities:
            for slot in capability.slots_of(Category.TARGET):
                if slot.type is SlotType.FILEPATH and resolve_effect(capability, slot) is Effect.REMOVES:
                    yield capability, slot


def test_home_root_and_repository_are_protected_from_every_removal(index: ToolIndex, place: Path) -> None:
    nested = place / "nested"
    (nested / ".git").mkdir(parents=True, exist_ok=True)
    environ = {"HOME": str(place / "src"), "PATH": os.environ["PATH"]}
    found = list(_list_removals(index))
    assert {capability.name for capability, _ in found} >= {"remove", "move"}
    for capability, slot in found:
        rest = {each.name: "archive" for each in capability.slots_of(Category.DESTINATION)}
        flags = {each.name: True for each in capability.slots if "folders" in each.keywords}
        for path in (
            "/",
            "/usr",
            str(place),
            ".",
            "..",
            "src",
            "src/../src",
            "nested",
            ".git",
            "nested/.git/x",
            "/etc",
        ):
            with pytest.raises(SlotsError):
                build_preview(capability, {slot.name: path, **rest, **flags}, place, environ)
