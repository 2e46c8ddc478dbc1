"""Facts about single files that were kept are byte for byte those that are found again, whatever is edited."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import json
from sample_repository import SampleRepository, clean_environ

from code_adapter.functions import capability as functions
from content_adapter import capabilities as content
from verigate.sdk import Request
from verigate.sdk.facts import FOUND, KNOWN, Facts, name_fact

SETTINGS = {"exclude": [], "scope": "all", "count_code": "none", "image_roots": [], "check_cited_files": True}
CAPABILITIES = ("content:scan", "content:wordcount", "content:headings", "code:functions")
NAMES = ("a.md", "b.html", "sub/c.md", "d.rst", "e.txt", "f.py", "sub/G.PY", "h.ts", "s.css", "sub/b.html", "README")
TEXTS = (
    "",
    "# One\n\ntwo *three*\n",
    "Title\n=====\n\nwords `code`\n",
    "<h1>A</h1><p>b <i class=x>c</i></p>\n",
    "<link rel=stylesheet href=s.css><h2>L</h2><p>b <i class=x>c</i></p>\n",
    "<style>@import 's.css';</style>\n\n## Imported <b class=x>hidden</b>\n",
    ".x { display: none }\n",
    "def one():\n    return 1\n\n\nclass Two:\n    def three(self): pass\n",
    "def one(:\n",
    "export function one() { return 2 }\n",
    "caf\u00e9 \U0001f600 &#xd800; &lt;link\n",
    "x" * 30_000 + "\n",
)


class Desk:
    """A repository, and what a capability writes about it with the facts of earlier calls and without."""

    def __init__(self, folder: Path, capability: str) -> None:
        self.sample, self.folder, self.capability = SampleRepository.create(folder / "work"), folder, capability
        self.sample.write("first.py", "def first():\n    pass\n")
        self.sample.commit("base")
        (folder / "facts").mkdir()

    def call(self, place: str, *, kept: bool) -> dict[str, bytes]:
        task = self.folder / place
        shutil.rmtree(task, ignore_errors=True)
        task.mkdir()
        environ = {**clean_environ(), **({"GATE_FACTS": str(self.folder / "facts")} if kept else {})}
        request = Request(
            self.capability,
            task,
            commitment={"task_id": "T"},
            config=SETTINGS,
            repo_root=self.sample.path,
            environ=environ,
        )
        (functions.run if self.capability == "code:functions" else content.serve)(request)
        return {str(path.relative_to(task)): path.read_bytes() for path in task.rglob("*") if path.is_file()}

    def read(self, name: str) -> dict[str, object]:
        place = self.folder / "facts" / name
        return dict(json.decode(place.read_bytes())) if place.exists() else {}

    def keep(self) -> None:
        """As the gate keeps what was found."""
        if (self.folder / "facts" / FOUND).exists():
            (self.folder / "facts" / FOUND).replace(self.folder / "facts" / KNOWN)


def edit(chance: random.Random, root: Path) -> None:
    """One edit: content, a rename, a removal, a link, a mode, a copy under another name."""
    place = root / chance.choice(NAMES)
    place.parent.mkdir(exist_ok=True)
    there = sorted(path for path in root.rglob("*.*") if path.is_file() and ".git" not in path.parts)
    kind = chance.randrange(8)
    if kind < 4 or not there:
        place.unlink(missing_ok=True)
        place.write_text(chance.choice(TEXTS))
        return
    other = chance.choice(there)
    if kind == 4:
        other.rename(place)
    elif kind == 5:
        other.unlink()
    elif kind == 6:
        place.unlink(missing_ok=True)
        place.symlink_to(other)
    elif other.resolve() != place.resolve():
        other.chmod(0o755 if chance.random() < 0.5 else 0o644)
        place.unlink(missing_ok=True)
        shutil.copy(other, place)


@pytest.mark.parametrize("capability", CAPABILITIES)
@pytest.mark.parametrize("seed", [1, 2])
def test_after_any_edits_reused_facts_equal_new_ones(tmp_path: Path, capability: str, seed: int) -> None:
    desk, chance = Desk(tmp_path, capability), random.Random(seed)  # noqa: S311 - it chooses edits
    for _ in range(8):
        for _ in range(chance.randrange(1, 5)):
            edit(chance, desk.sample.path)
        assert desk.call("with", kept=True) == desk.call("without", kept=False)
        desk.keep()
        assert desk.call("with", kept=True) == desk.call("without", kept=False)
        desk.keep()
    assert desk.read(KNOWN)


@pytest.mark.parametrize(("capability", "suffix"), [("content:wordcount", "md"), ("code:functions", "py")])
def test_after_one_edit_only_that_file_is_read_again(tmp_path: Path, capability: str, suffix: str) -> None:
    desk = Desk(tmp_path, capability)
    for number in range(20):
        desk.sample.write(f"file{number}.{suffix}", f"# number {number}\n\ndef work_{number}(): pass\n")
    desk.call("with", kept=True)
    desk.keep()
    before = desk.read(KNOWN)
    desk.sample.write(f"file3.{suffix}", "# another\n")
    desk.call("with", kept=True)
    assert len(desk.read(FOUND).keys() - before.keys()) == 1
    desk.keep()
    desk.call("with", kept=True)
    # Nothing new, so nothing to keep.
    assert not desk.read(FOUND)


def test_a_page_with_a_style_sheet_is_never_reused(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "content:wordcount")
    desk.sample.write("p.html", "<link rel=stylesheet href=s.css><p>seen <i class=x>hidden</i></p>")
    desk.sample.write("s.css", "")
    shown = desk.call("with", kept=True)
    desk.keep()
    desk.sample.write("s.css", ".x { display: none }")
    assert desk.call("with", kept=True) != shown
    assert not desk.read(KNOWN)


def test_known_facts_are_used_and_rubbish_is_not(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "content:wordcount")
    desk.sample.write("a.md", "one two\n")
    desk.call("with", kept=True)
    desk.keep()
    ((name, _),) = desk.read(KNOWN).items()
    place = tmp_path / "facts" / KNOWN
    place.write_bytes(json.encode({name: [7, 0]}))
    assert b'"total":7' in desk.call("with", kept=True)["content/wordcount.json"]
    place.write_bytes(b"{")
    assert b'"total":2' in desk.call("with", kept=True)["content/wordcount.json"]


def test_what_was_not_used_for_longest_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verigate.sdk.facts.MAX_BYTES", 50)
    for name in ("first", "second", "third"):
        facts = Facts(tmp_path)
        facts.note(name, "0123456789")
        facts.save()
        (tmp_path / FOUND).replace(tmp_path / KNOWN)
    assert list(json.decode((tmp_path / KNOWN).read_bytes())) == ["third", "second"]


@pytest.mark.parametrize("parts", [("ab", "c"), ("a", "bc"), ("abc",), ("a", "b", "c"), ("abc", "")])
def test_names_hold_each_part_by_itself(parts: tuple[str, ...]) -> None:
    others: list[Callable[[], str]] = [lambda: name_fact("abc", "", ""), lambda: name_fact(b"x")]
    assert name_fact(*parts) == name_fact(*(part.encode() for part in parts))
    assert name_fact(*parts) not in {make() for make in others}
