"""Fixtures: the subjects that an adapter is called on, its own below ``fixtures/`` and those of the kit.

``fixtures/<case>/`` is the subject's tree; ``fixture.json`` in it is not part of the tree and holds the rest. A case
called ``empty-repository`` or ``odd-file-names`` describes how the kit's own case of that name is called; its tree is
the kit's. ``file-names-outside-utf-8`` names who refuses such names, and is then called without them, and with them
apart.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from verigate.errors import Fault, shorten

GENERIC, EMPTY, ODD = "generic", "empty-repository", "odd-file-names"
NOT_UTF8 = "file-names-outside-utf-8"
_SPECIAL = frozenset({EMPTY, ODD, NOT_UTF8})
FIXTURE_FILE = "fixture.json"
MAX_FILES = 2_000
MAX_BYTES = 32 * 1024 * 1024

Check = Callable[[bytes, str], tuple[Any, tuple[Fault, ...]]]
"""(bytes of a fixture.json, its name) -> (document, faults)."""


class Fixture(Struct, frozen=True):
    """One case. ``files`` is the subject's tree, ``base`` that of its base, by path, in bytes as file names are.

    ``capabilities`` None means all. ``refuses`` are capabilities that must decline; ``expect`` is artifact -> pointer
    -> value; ``own`` is true for the adapter's cases.
    """

    name: str
    files: Mapping[bytes, bytes]
    base: Mapping[bytes, bytes] = field(default_factory=dict)
    executables: frozenset[bytes] = frozenset()
    capabilities: tuple[str, ...] | None = None
    after: tuple[str, ...] = ()
    config: Mapping[str, Any] = field(default_factory=dict)
    commitment: Mapping[str, Any] = field(default_factory=dict)
    claim: Mapping[str, Any] = field(default_factory=dict)
    issues: bool = False
    refuses: frozenset[str] = frozenset()
    expect: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    own: bool = True

    def serves(self, capability: str) -> bool:
        """Whether a capability is called on it."""
        return self.capabilities is None or capability in self.capabilities

    @property
    def text(self) -> str:
        """Every name and content, to find out what an artifact may contain of the subject."""
        return "\n".join(part.decode("utf-8", "replace") for item in self.files.items() for part in item)


class FixtureError(ValueError):
    """A folder that is not a valid fixture; the message names it and the reason."""


def read_fixtures(
    place: Path, capabilities: Sequence[str], check: Check, others: AbstractSet[str] = frozenset()
) -> tuple[list[Fixture], list[str]]:
    """Read the cases in a folder except ``others``, by name, and a sentence for each invalid one."""
    if not place.is_dir():
        return [], []
    found: list[Fixture] = []
    wrong: list[str] = []
    cases = (path for path in place.iterdir() if path.is_dir() and not path.is_symlink())
    for case in sorted(path for path in cases if path.name not in others):
        try:
            found.append(_read(case, capabilities, check))
        except FixtureError as problem:
            wrong.append(f"fixtures/{case.name}: {shorten(str(problem))}")
        except OSError as problem:
            wrong.append(f"fixtures/{case.name} can't be read: {problem.strerror}")
    return found, wrong


def _read(case: Path, capabilities: Sequence[str], check: Check) -> Fixture:
    files, executables = _read_tree(case)
    content = files.pop(os.fsencode(FIXTURE_FILE), None)
    document: Mapping[str, Any] = {}
    if content is not None:
        read, faults = check(content, f"fixtures/{case.name}/{FIXTURE_FILE}")
        if faults:
            raise FixtureError("; ".join(map(str, faults[:3])))
        document = read
    for key in ("capabilities", "refuses"):
        for name in document.get(key, ()):
            if name not in capabilities:
                raise FixtureError(f"{key} names {name!r}, which the manifest doesn't declare")
    inline = {_encode_name(path): text.encode() for path, text in document.get("files", {}).items()}
    files |= inline
    executables |= {path for path, text in inline.items() if text.startswith(b"#!")}
    return Fixture(
        case.name,
        files,
        _build_base(files, document.get("base")),
        frozenset(executables),
        tuple(document["capabilities"]) if "capabilities" in document else None,
        after=tuple(document.get("after", ())),
        config=document.get("config", {}),
        commitment=document.get("commitment", {}),
        claim=document.get("claim", {}),
        issues=document.get("issues", False),
        refuses=frozenset(document.get("refuses", ())),
        expect=document.get("expect", {}),
    )


def _build_base(files: Mapping[bytes, bytes], changes: Mapping[str, str | None] | None) -> dict[bytes, bytes]:
    if changes is None:
        return {}
    named = {_encode_name(path): text for path, text in changes.items()}
    kept = {path: content for path, content in files.items() if path not in named}
    return kept | {path: text.encode() for path, text in named.items() if text is not None}


def _encode_name(path: str) -> bytes:
    parts = path.split("/")
    if any(part in {"", ".", "..", ".git"} for part in parts) or "\0" in path:
        raise FixtureError(f"{path!r} is not a valid path of the subject")
    return os.fsencode(path)


def _read_tree(folder: Path) -> tuple[dict[bytes, bytes], set[bytes]]:
    files: dict[bytes, bytes] = {}
    executables: set[bytes] = set()
    size = 0
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise FixtureError(f"{path.relative_to(folder)} is neither a file nor a folder")
        if path.is_dir():
            continue
        size += path.stat().st_size
        if size > MAX_BYTES or len(files) >= MAX_FILES:
            raise FixtureError(f"it has more than {MAX_FILES} files or {MAX_BYTES} bytes; a fixture should be small")
        name = _encode_name(str(path.relative_to(folder)))
        files[name] = path.read_bytes()
        if os.access(path, os.X_OK):
            executables.add(name)
    return files, executables


_GENERIC = {
    "README.md": "# Sample\n\nA shop in [two files](src/shop.py), and [one that is gone](missing.md).\n\n"
    "![A picture](picture.png)\n\n## Use\n\n> Keep it small. -- A. Author\n\nTODO: say more.\n",
    "docs/guide.md": "# Guide\n\nSee the [readme](../README.md).\n\n### A level is left out\n\ntrailing spaces   \n",
    "src/shop.py": 'import os\nimport sys\n\n\ndef total(prices):\n    """The sum."""\n    return sum(prices)\n\n\n'
    "def refund(price):\n    unused = 1\n    return -price\n",
    "src/test_shop.py": "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
    "src/shop.js": "// SPDX-License-Identifier: MIT\nexport function total(prices) {\n  var sum = 0;\n"
    "  for (const price of prices) sum += price;\n  return sum;\n}\n",
    "src/main.c": '#include <stdio.h>\n\nint main(void) {\n    printf("%d\\n", 3);\n    return 0;\n}\n',
    "tools/run.sh": "#!/bin/sh\ncd $1 && ls *\n",
    "config/settings.yaml": "name: sample\nports:\n  - 80\n  - 443\n",
    "config/broken.json": '{"name": "sample",}\n',
    "data/prices.csv": "name,price\npen,1\nink,2\n",
    "empty.txt": "",
    "no-line-end.txt": "the last line has no end",
    "crlf.txt": "one\r\ntwo\r\n",
}
_BEFORE = {"src/refunds.py": "def refund(price):\n    return price\n", "data/prices.csv": "name,price\npen,1\n"}
_PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c6360000000020001e221bc33"
    "0000000049454e44ae426082"
)


def make_generic() -> Fixture:
    """Make a small repository in several languages, with issues that checkers of many kinds look for."""
    files = {path.encode(): text.encode() for path, text in _GENERIC.items()} | {b"picture.png": _PICTURE}
    base = {path: content for path, content in files.items() if not path.startswith(b"docs/")}
    base |= {path.encode(): text.encode() for path, text in _BEFORE.items()}
    return Fixture(GENERIC, files, base, frozenset({b"tools/run.sh"}), issues=True, own=False)


def make_empty(like: Fixture) -> Fixture:
    """Make a repository whose commits have no files; the other inputs are those of ``like``."""
    return replace(like, name=EMPTY, files={}, base={}, executables=frozenset(), issues=False, expect={}, own=False)


ODD_WORDS = ("verigate", "odd", "name")
"""The words of a name with spaces that wasn't quoted."""

INJECTED = "verigate-injected"
"""The file in the subject after a file name was run as a command."""

_ODD_STEMS = (
    b"verigate odd name",
    b"-rf",
    b"--help",
    b'quo"ted',
    b"apo'strophe",
    b"line\nend",
    b"tab\tbed",
    b"back\\slash",
    b"star*",
    b"$HOME",
    f"$(touch {INJECTED})".encode(),
    f"`touch {INJECTED}`".encode(),
    f";touch {INJECTED};".encode(),
    "naïve-é".encode(),
    "nai\u0308ve-e\u0301".encode(),
    "日本語-😀".encode(),
    b"not-utf-8-\xff\xfe",
    b"#comment",
    b"~tilde",
    b".hidden",
    b"x" * 200,
)
_SUFFIXES = 6


def make_odd(
    like: Fixture, own: Fixture | None, *, refusing: Fixture | None = None, utf8: bool | None = None
) -> Fixture:
    """Make ``like`` with its files also under odd names: each kind of file under each name, also in an odd folder.

    ``utf8`` True leaves out names that aren't UTF-8; False all others, and ``refusing`` names who refuses them.
    """
    kinds: dict[bytes, bytes] = {}
    for path, content in sorted(like.files.items()):
        name = path.rpartition(b"/")[2]
        suffix = name[name.rindex(b".") :] if b"." in name[1:] else b""
        if content and suffix not in kinds and len(kinds) < _SUFFIXES:
            kinds[suffix] = content
    kinds = kinds or {b".txt": b"some text\n"}
    stems = [stem for stem in _ODD_STEMS if utf8 is None or _is_utf8(stem) is utf8]
    added = {b"odd folder/" + stem + suffix: content for suffix, content in kinds.items() for stem in stems}
    base = like.base and {**like.base}
    made = replace(
        own or like,
        name=ODD,
        files={**like.files, **added},
        base=base,
        executables=like.executables,
        expect={},
        own=False,
    )
    return replace(made, name=NOT_UTF8, refuses=refusing.refuses) if refusing is not None and utf8 is False else made


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


def select_fixtures(fixtures: Iterable[Fixture], capability: str) -> tuple[Fixture, ...]:
    """Select the cases of one capability: the adapter's own, else the generic one."""
    own = tuple(each for each in fixtures if each.serves(capability) and each.name not in _SPECIAL)
    return own or (make_generic(),)


def find_special(fixtures: Iterable[Fixture], name: str, capability: str) -> Fixture | None:
    """Find the adapter's declaration about one of the kit's own cases."""
    return next((each for each in fixtures if each.name == name and each.serves(capability)), None)
