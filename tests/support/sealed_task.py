"""A task with everything that seals it, and each region of its files, changed one at a time."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import gated_repository as gr
import literal_facts as lf
from ssh_keys import make_key, signers

PROFILES = "config/verification.profiles.json"
STATEMENTS = "verdict.intoto.jsonl"
CHAIN = "refs/verigate/verdicts/T1"
BLOCK = 32
"""Bytes of a region of a file that isn't JSON."""

_TOKEN = re.compile(
    rb'(?P<text>"(?:[^"\\]|\\.)*")|(?P<word>[-+0-9.eE]+|true|false|null)|(?P<mark>[{}\[\]:,])|(?P<space>\s+)'
)


class Region(NamedTuple):
    """A part of a file: ``kind`` is text, word, mark or space of JSON, or bytes; ``changed`` the file with a change."""

    kind: str
    start: int
    part: bytes
    changed: bytes


def make_sealed(folder: Path) -> gr.GatedRepository:
    """T1 was begun, claimed, refuted, approved and verified with a signature, and attested. Keys are in the home."""
    entry = {"order": ["code:diff", "code:tests"], "required": ["code:diff", "code:tests"], "optional": []}
    key = make_key(folder / "home")
    files = {
        "config/adapter-plan.json": {"code": entry, "facts": entry},
        "config/approvals.json": {"repository": "example.com/shop", "keys": "any"},
        "config/allowed-signers": signers(key),
    }
    artifacts = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "tests.json")}
    found = gr.make(folder, artifacts, {"tests_pass": True}, files=files, acts={"code:tests": "echo a log line"})
    must(found, "start", "T1", "--type", "facts", "--file", "a.py", "-m", "Do the work.")
    found.put("a.py", "answer = 42\n")
    found.put(PROFILES, {"facts": {"tests_pass": True, "tests_min": 1}, "code_default": {"tests_pass": True}})
    must(found, "claim", "T1", "file:a.py", "file:gone.py")
    assert found.verify().code == 1
    shutil.copytree(found.root / ".artifacts/T1", folder / "refuted")
    must(found, "claim", "T1", "file:a.py")
    assert found.verify().code == 1
    must(found, "approve", "T1", "--reason", "reviewed", "--key", str(key.path), "--yes")
    must(found, "attest", "keygen", str(found.home / "signing"))
    done = found.verify(VERIGATE_SIGNING_KEY=str(found.home / "signing"))
    assert done.code == 0, done.output
    must(found, "attest", "T1", "--key", str(found.home / "signing"))
    return found


def must(repository: gr.GatedRepository, *arguments: str) -> gr.Done:
    done = repository.gate(*arguments)
    assert done.code == 0, done.output
    return done


def list_regions(content: bytes, *, is_json: bool) -> Iterator[Region]:
    """Each region, with a change of it that leaves JSON readable where a value or layout is changed."""
    if is_json:
        for match in _TOKEN.finditer(content):
            kind = str(match.lastgroup)
            yield _region(kind, match.start(), match[0], _change(kind, match[0]), content)
        return
    for start in range(0, len(content), BLOCK):
        part = content[start : start + BLOCK]
        middle = len(part) // 2
        yield _region("bytes", start, part, part[:middle] + bytes([part[middle] ^ 1]) + part[middle + 1 :], content)


def _region(kind: str, start: int, part: bytes, instead: bytes, content: bytes) -> Region:
    return Region(kind, start, part, content[:start] + instead + content[start + len(part) :])


def _change(kind: str, part: bytes) -> bytes:
    if kind == "space":
        return part + b" "
    if kind == "mark":
        return b" " * len(part)
    if kind == "word":
        return {b"true": b"false", b"false": b"true", b"null": b"0"}.get(part, b"1" + part.lstrip(b"-"))
    middle = len(part) // 2
    if len(part) == 2:
        return b'"x"'
    # Never the letter of an escape.
    letter = b"y" if part[middle : middle + 1] == b"x" else b"x"
    return (
        b'"' + letter + part[2:]
        if part[middle - 1 : middle] == b"\\" or middle < 2
        else (part[:middle] + letter + part[middle + 1 :] if b"\\" not in part else b'"' + part[1:-1] + b'x"')
    )
