"""Requests in words over the tools that ship, and what each means: the capability, and the whole command.

They were written before anything read them. A hash of the words says which part a request belongs to; the router was
made with one part in view and is measured on the other. What somebody has looked at who mends the router lies in
``requests/seen``, with a folder of its own in which it is asked, and is development, whatever its hash: a batch whose
misses were read, and requests written to mend by. ``requests/unseen`` is a batch by somebody who had not read the
router, asked in that same folder, and never looked at by who mends it.
"""

from __future__ import annotations

import hashlib
import shlex
import subprocess
import tarfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from verigate.config.tool_definition import read_tool
from verigate.discovery.tool_index import ToolFile, ToolIndex, load_tool_index
from verigate.domain.manifest import Origin
from verigate.errors import GateError
from verigate.execution.direct_run import build_preview
from verigate.requests.outcome import Selection
from verigate.requests.selection import route_request
from verigate.requests.tokenizer import stem_text
from verigate.requests.working_folder import WorkingFolder

FOLDER = Path(__file__).parent / "requests"
_AUTHOR = ("-c", "user.name=a", "-c", "user.email=a@b.example")
TOOLS = sorted((Path(__file__).parents[2] / "adapters" / "tools").glob("*.toml"))


class Request(Struct, frozen=True):
    """``does`` and ``run`` are the capability and its command lines without their fixed arguments, None for what must
    be refused; ``refused`` is then text that the refusal has."""

    say: str
    does: str | None
    run: tuple[tuple[str, ...], ...] | None
    refused: str
    batch: str = ""

    @property
    def part(self) -> str:
        if self.batch:
            return {"seen": "development", "unseen": "blind"}[self.batch]
        return "held-out" if int(hashlib.sha256(self.say.encode()).hexdigest(), 16) % 5 < 2 else "development"


def _all() -> list[Request]:
    found = []
    for file in sorted(FOLDER.rglob("*.toml")):
        for entry in tomllib.loads(file.read_text())["requests"]:
            lines = entry.get("run")
            listed = None if lines is None else [lines] if isinstance(lines, str) else lines
            run = None if listed is None else tuple(tuple(shlex.split(line)) for line in listed)
            batch = "" if file.parent == FOLDER else file.parent.name
            found.append(Request(entry["say"], entry.get("does"), run, entry.get("refused", ""), batch))
    return found


REQUESTS = _all()


def _index(files: list[Path]) -> ToolIndex:
    listed = [ToolFile(str(path), path.name, Origin.BUILTIN, path.read_bytes()) for path in files]
    return load_tool_index(listed, read_tool, stem_text, "test", None)[0]


@pytest.fixture(scope="module")
def tools() -> ToolIndex:
    return _index(TOOLS)


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The folder in which a request is made, by its batch."""
    roots = {"": tmp_path_factory.mktemp("requests"), "seen": tmp_path_factory.mktemp("batches")}
    for batch, root in roots.items():
        for line in (FOLDER / batch / "files.txt").read_text().splitlines():
            path = root / line
            (path if line.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
            if not line.endswith("/"):
                _make(path)
        for command in (("init", "-q"), ("add", "--all"), ("commit", "-q", "--message=all")):
            subprocess.run(("git", *_AUTHOR, *command), cwd=root, check=True)
    return {**roots, "unseen": roots["seen"]}


def _make(path: Path) -> None:
    """Make a file: an archive of one file where its name says so, because archives are listed, else an empty one."""
    ends = {".gz": "gz", ".tgz": "gz", ".xz": "xz", ".bz2": "bz2", ".tar": ""}
    if path.suffix in ends and (path.suffix in {".tar", ".tgz"} or path.stem.endswith(".tar")):
        with tarfile.open(path, f"w:{ends[path.suffix]}") as archive:
            archive.addfile(tarfile.TarInfo("inside.txt"))
    else:
        path.touch()


def _lines(chosen: Selection, tree: Path) -> tuple[tuple[str, ...], ...] | str:
    assert chosen.chosen is not None
    capability = chosen.chosen.capability
    try:
        lines = build_preview(capability, chosen.chosen.given, tree).lines
        return tuple((line[0], *_drop_fixed(line[1:], capability.command.args)) for line in lines)
    except GateError as problem:
        return str(problem)


def _drop_fixed(words: tuple[str, ...], args: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a line after the fixed ones, of which some may be left out for some results."""
    for arg in args:
        words = words[1:] if words[:1] == (arg,) else words
    return words


def test_the_capability_and_the_command_of_requests_in_words(
    tools: ToolIndex, trees: Mapping[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert len({request.say for request in REQUESTS}) == len(REQUESTS) >= 300
    share: dict[tuple[str, str], float] = {}
    for name in ("development", "held-out", "blind"):
        part = [request for request in REQUESTS if request.part == name]
        capability = command = 0
        for request in part:
            answer = route_request(request.say, tools, WorkingFolder(str(trees[request.batch])))
            got = answer.chosen.name if answer.chosen is not None else None
            capability += got == request.does
            if request.does is None:
                said = f"{answer.problem} {answer.hint}"
                command += got is None and request.refused in said
            else:
                command += got == request.does and _lines(answer, trees[request.batch]) == request.run
        share[name, "capability"], share[name, "command"] = capability / len(part), command / len(part)
        with capsys.disabled():
            print(
                f"\n{name}: capability {capability}/{len(part)} ({capability / len(part):.1%}), "
                f"whole command {command}/{len(part)} ({command / len(part):.1%})",
                end="",
            )
    assert all(found >= {"capability": 0.97, "command": 0.93}[what] for (_, what), found in share.items()), share


def test_no_destructive_command_is_chosen_wrongly(tools: ToolIndex, trees: Mapping[str, Path]) -> None:
    chosen = 0
    for request in REQUESTS:
        answer = route_request(request.say, tools, WorkingFolder(str(trees[request.batch])))
        if answer.chosen is not None and answer.chosen.capability.destructive:
            chosen += 1
            lines = _lines(answer, trees[request.batch])
            if isinstance(lines, tuple):
                assert (answer.chosen.name, lines) == (request.does, request.run), request.say
    assert chosen >= 100


def test_the_order_of_files_changes_nothing(trees: Mapping[str, Path]) -> None:
    orders = [_index(order) for order in (TOOLS, TOOLS[::-1], [*TOOLS[5:], *TOOLS[:5]])]
    for request in REQUESTS[::5]:
        answers: list[Any] = [
            route_request(request.say, index, WorkingFolder(str(trees[request.batch]))) for index in orders
        ]
        assert answers[0] == answers[1] == answers[2], request.say


@pytest.mark.release
def test_words_and_folder_alone_decide(tools: ToolIndex, trees: Mapping[str, Path]) -> None:
    for request in REQUESTS[::9]:
        first = route_request(request.say, tools, WorkingFolder(str(trees[request.batch])))
        assert route_request(request.say, _index(TOOLS), WorkingFolder(str(trees[request.batch]))) == first
