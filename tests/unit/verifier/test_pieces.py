"""What is shown can be cited as it is shown: each value, each line, whatever characters it holds."""

from __future__ import annotations

from typing import Any

import literal_facts as lf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.domain.artifact import Evidence
from verigate.domain.verification import Citation
from verigate.errors import UsageError
from verigate.formats.visible import escape_invisible
from verigate.gate.citations import VoidCitationError, look_up
from verigate.verifier.evidence_parts import EvidencePart, split_evidence
from verigate.verifier.overrides import apply_overrides, list_overrides, parse_overrides
from verigate.verifier.relevance import select_relevant, split_words

PATCH = """\
diff --git a/app.py b/app.py
--- a/app.py
+++ b/app.py
@@ -1,3 +1,4 @@
 def load(path):
-    raise ValueError('bad')
+    raise ValueError(f'{path} is no configuration')
+    # see the manual
~
@@ -40,2 +41,2 @@ def save(path):
-old
+new\u200b
 end
diff --git a/gone.py b/gone.py
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-gone
""".replace("~", " ")


def shown(artifacts: dict[str, Any]) -> tuple[Evidence, dict[str, str], tuple[EvidencePart, ...]]:
    facts = lf.facts({}, artifacts)
    texts = {path: value for path, value in artifacts.items() if isinstance(value, str)}
    return facts.evidence, texts, split_evidence(facts.evidence, texts)


def test_a_patch_is_shown_hunk_by_hunk_with_the_numbers_of_its_new_version() -> None:
    _, _, pieces = shown({"diffs.patch": PATCH})
    assert [piece.lines for piece in pieces] == [
        (
            "artifact: diffs.patch",
            "file: app.py",
            "about the file: diff --git a/app.py b/app.py",
            "about the file: --- a/app.py",
            "about the file: +++ b/app.py",
            "hunk: @@ -1,3 +1,4 @@",
            "     1   def load(path):",
            "       -     raise ValueError('bad')",
            "     2 +     raise ValueError(f'{path} is no configuration')",
            "     3 +     # see the manual",
            "     4   ",
        ),
        (
            "artifact: diffs.patch",
            "file: app.py",
            "hunk: @@ -40,2 +41,2 @@ def save(path):",
            "       - old",
            "    41 + new\\u200b",
            "    42   end",
        ),
        (
            "artifact: diffs.patch",
            "file: gone.py",
            "about the file: diff --git a/gone.py b/gone.py",
            "about the file: --- a/gone.py",
            "about the file: +++ /dev/null",
            "hunk: @@ -1 +0,0 @@",
            "       - gone",
        ),
    ]


@pytest.mark.parametrize("first", [1, 2, 3, 41, 42])
def test_every_numbered_line_of_a_patch_can_be_cited_as_it_is_shown(first: int) -> None:
    evidence, texts, pieces = shown({"diffs.patch": PATCH})
    (line,) = [line for piece in pieces for line in piece.lines if line.startswith(f"{first:>6} ")]
    cited = look_up(Citation("diffs.patch", line[9:], None, "app.py", first, first), evidence, texts)
    assert escape_invisible(cited.ref.value) == line[9:]


names = st.text(st.characters(exclude_categories=("Cs",)), max_size=5)
scalars = (
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
)
values = st.recursive(
    # A text without a letter or digit says nothing, and can't be cited.
    scalars | names.map(lambda text: f"a{text}"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
)


@given(st.dictionaries(names, values, min_size=1, max_size=4))
def test_every_value_of_json_can_be_cited_as_it_is_shown(document: dict[str, Any]) -> None:
    evidence, texts, pieces = shown({"notes.json": document})
    (piece,) = pieces
    for line in piece.lines[1:]:
        # A name may hold " = ": some way to take the line apart is the right one.
        found = [at for at in range(len(line)) if line.startswith(" = ", at) and _looked_up(evidence, texts, line, at)]
        assert found or not _quotable(line), line


@pytest.mark.parametrize("shown_as", ["\\@property", "@property"])
def test_an_at_sign_may_be_cited_as_it_is_or_as_it_is_shown(shown_as: str) -> None:
    patch = "--- a/@x/a.py\n+++ b/@x/a.py\n@@ -0,0 +1,2 @@\n+@property\n+a\\@b\n"
    evidence, texts, _ = shown({"diffs.patch": patch, "@x.json": {"@id": "a@b"}})
    file = shown_as.replace("property", "x/a.py")
    assert look_up(Citation("diffs.patch", shown_as, None, file, 1, 1), evidence, texts).text == "@property"
    assert look_up(Citation("diffs.patch", "a\\@b", None, "@x/a.py", 2, 2), evidence, texts).text == "a\\@b"
    assert look_up(Citation("diffs.patch", "a\\\\@b", None, "\\@x/a.py", 2, 2), evidence, texts).text == "a\\@b"
    pointer, name, value = (shown_as.replace("property", end) for end in ("id", "x.json", "b"))
    assert look_up(Citation(name, f"a{value}", pointer=f"/{pointer}"), evidence, texts).text == "a@b"
    with pytest.raises(VoidCitationError):
        look_up(Citation("diffs.patch", "a@b", None, "@x/a.py", 2, 2), evidence, texts)


def _looked_up(evidence: Evidence, texts: dict[str, str], line: str, at: int) -> bool:
    try:
        look_up(Citation("notes.json", line[at + 3 :], pointer=line[:at]), evidence, texts)
    except VoidCitationError:
        return False
    return True


def _quotable(line: str) -> bool:
    """Two names that look alike are told apart by nobody."""
    return "\\" not in line.split(" = ", 1)[0]


def test_texts_are_shown_with_their_numbers_and_binary_ones_not_at_all() -> None:
    _, _, pieces = shown({"notes.txt": "one\ntwo\ttabs\n", "image.bin": "a\0b", "empty.txt": ""})
    assert [piece.lines for piece in pieces if piece.lines != ("artifact: empty.txt", "1: ")] == [
        ("artifact: notes.txt", "1: one", "2: two\\ttabs")
    ]


def test_volatile_values_are_neither_shown_nor_citable() -> None:
    evidence, texts, pieces = shown({"tests.json": lf.GOOD["tests.json"]})
    assert not any("duration" in line for piece in pieces for line in piece.lines)
    with pytest.raises(VoidCitationError):
        look_up(Citation("tests.json", "12.5", pointer="/duration"), evidence, texts)


def test_a_huge_artifact_is_looked_at_in_part() -> None:
    many = [{"id": number, "text": "x" * 50} for number in range(100_000)]
    _, _, pieces = shown({"many.json": many})
    assert sum(len(piece.lines) for piece in pieces) < 25_000
    assert all(len(piece.lines) <= 61 for piece in pieces)


def test_long_lines_are_cut() -> None:
    _, _, pieces = shown({"notes.json": {"text": "x" * 10_000}})
    assert len(pieces[0].lines[1]) < 2100
    assert pieces[0].lines[1].endswith("… (cut)")


# Relevance


def piece(kind: str, *lines: str) -> EvidencePart:
    return EvidencePart(kind, lines)


def test_what_shares_rare_words_with_the_question_is_shown_first() -> None:
    pieces = [piece("json", f"/n/{number} = some file") for number in range(50)]
    pieces[37] = piece("json", "/n/37 = readConfigError some file")
    (found,) = select_relevant(pieces, ["The read_config error of some file is friendlier"], pieces[37].size + 5)
    assert found is pieces[37]


def test_half_of_the_room_is_the_patch_s() -> None:
    patch = [piece("patch", f"file {number}") for number in range(10)]
    other = [piece("json", f"friendlier message {number}") for number in range(100)]
    found = select_relevant([*patch, *other], ["a friendlier message"], 300)
    assert sum(item.kind == "patch" for item in found) == 10
    assert sum(item.size for item in found) <= 300


@given(st.lists(st.tuples(st.sampled_from(["patch", "json", "text"]), names), max_size=20), names, st.integers(0, 200))
def test_what_is_chosen_fits_and_stays_in_order(parts: list[tuple[str, str]], question: str, budget: int) -> None:
    pieces = [EvidencePart(kind, (text,)) for kind, text in parts]
    found = select_relevant(pieces, [question], budget)
    assert sum(item.size for item in found) <= budget
    places = iter(pieces)
    assert all(any(item is other for other in places) for item in found)


def test_words_are_taken_out_of_identifiers() -> None:
    assert split_words("readError parse_HTTPResponse x1") >= {"read", "error", "parse", "http", "response", "readerror"}


# Options of one run


def test_options_of_a_run_are_values_by_their_keys() -> None:
    words = ["model=a=b", "session=false", "settings.x.y=[1]", "settings.x.z=", "timeout_s=1.5"]
    found = parse_overrides(words)
    assert found == {"model": "a=b", "session": False, "settings": {"x": {"y": [1], "z": ""}}, "timeout_s": 1.5}
    assert list_overrides(found)["settings.x.y"] == [1]
    mine = {"settings": {"x": {"y": 2, "k": 3}, "m": 1}, "model": "old", "command": ["p"]}
    assert apply_overrides(mine, found) == {
        "settings": {"x": {"y": [1], "k": 3, "z": ""}, "m": 1}, "model": "a=b", "command": ["p"], "session": False,
        "timeout_s": 1.5,
    }  # fmt: skip
    assert mine["model"] == "old"


def test_a_value_that_looks_like_a_secret_is_not_listed() -> None:
    assert list_overrides(parse_overrides(["settings.api_key=x", "session=true"])) == {
        "settings.api_key": "[redacted]", "session": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    "word", ["", "=x", "settings", "settings.=1", "settings..a=1", "command=x", "env_from=[]", "skill=x"]
)
def test_nobody_chooses_for_a_run_what_is_started(word: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_overrides([word])
    assert caught.value.hint
    with pytest.raises(UsageError, match="below a value"):
        parse_overrides(["settings.a=1", "settings.a.b=2"])
