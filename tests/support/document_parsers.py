"""Every reader of documents that somebody else may have written, as one table, each with a document that it accepts."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import literal_facts
from tool_documents import UNIX

from verigate.cli.target import Target
from verigate.config.adapters_config import resolve_adapters_config
from verigate.config.baseline import parse_baseline
from verigate.config.builtin import find_builtin_root
from verigate.config.configuration import load_configuration
from verigate.config.documents import read_fixture_document, read_manifest_document, read_tool_document
from verigate.config.packages import read_pinned_packages
from verigate.config.sandbox_file import parse_base_grants, resolve_grants
from verigate.config.task_files import claim_from, read_claim, read_commitment
from verigate.config.tighten import tighten
from verigate.config.validation import check_media
from verigate.config.which_task import read_current_task
from verigate.conformance.fixtures import read_fixtures
from verigate.discovery.npm_packages import load_pinned_locations, warn_unpinned
from verigate.discovery.registry import discover
from verigate.discovery.search_path import SearchLocation
from verigate.discovery.tool_adapters import ToolAdapters
from verigate.domain import spec_id
from verigate.domain.grants import keep_known
from verigate.domain.manifest import Capability, Manifest, Origin, Output
from verigate.domain.media import MediaSpecError, parse_media_spec, resolve
from verigate.domain.plan import PlannedCapability
from verigate.domain.profile import Profile
from verigate.domain.scope_paths import named_by
from verigate.domain.statement_reading import MAX_READ
from verigate.domain.task import parse_unit
from verigate.domain.urn import cap
from verigate.domain.urn.tagged import UrnError
from verigate.domain.verdict import CheckOutcome
from verigate.errors import ConfigError, Fault, GateError
from verigate.evidence.artifact_validation import ArtifactInvalidError, accept_artifact
from verigate.evidence.reload import reload_artifacts
from verigate.evidence.store import read_published
from verigate.formats import media_type, pointer
from verigate.gate.custom_rules import check_custom_rules
from verigate.integrations.agents import HOSTS
from verigate.integrations.agents.host import Event, Host, document_of
from verigate.integrations.agents.session import Session, Sessions
from verigate.integrations.agents.statements import sentences
from verigate.integrations.ci.history import History
from verigate.integrations.git.commit_message import Draft, insert_trailer
from verigate.statements.reading import read_statement
from verigate.statements.split import split_statements

TODAY = "2026-11-22"


class Refused(Exception):  # noqa: N818 - what a reader says of a document
    """A document was refused, with these faults."""

    def __init__(self, faults: Iterable[Fault | str]) -> None:
        self.faults = tuple(str(fault) for fault in faults)
        super().__init__(*self.faults[:3])


class Parser(NamedTuple):
    """``read`` takes a folder of its own and the bytes; it returns, or raises Refused. ``valid`` is accepted."""

    valid: Any
    read: Callable[[Path, bytes], Any]


def _file(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def _no(faults: Iterable[Fault | str]) -> None:
    found = tuple(faults)
    if found:
        raise Refused(found)


def _claim(folder: Path, content: bytes) -> None:
    reading = read_claim(_file(folder, "claim.json", content), "T_test", "code")
    _no(reading.faults)
    assert reading.claim is not None
    assert claim_from(reading.claim.document, "code") == reading.claim
    for text in reading.claim.unit_ids or ():
        assert parse_unit(text, lambda _: False).id
    for statement in reading.claim.statements[:MAX_READ]:
        read_statement(statement.text)


def _commitment(folder: Path, content: bytes) -> None:
    commitment = read_commitment(_file(folder, "commitment.json", content), "T_test").commitment
    tighten(Profile("p", {"tests_min": 1, "statements": "report", "latency_ms": {"p95": 9}}), commitment.quality)
    named_by(commitment.scope.files, commitment.scope.target_directory)("src/shop.py")


def _configuration(name: str) -> Callable[[Path, bytes], None]:
    def read(folder: Path, content: bytes) -> None:
        _file(folder, f"config/{name}", content)
        configuration = load_configuration(folder, find_builtin_root())
        for profile in configuration.profiles.names:
            configuration.profiles.resolve(profile)

    return read


_SHOP = Manifest(
    *("shop", "1", "bin/run", "/adapters/shop", Origin.REPOSITORY, "0"),
    capabilities=(Capability("shop:count"),),
    config_schema={"type": "object", "properties": {"most": {"type": "integer"}}, "additionalProperties": False},
)


def _adapters(folder: Path, content: bytes) -> None:
    _file(folder, "config/adapters.json", content)
    resolve_adapters_config(load_configuration(folder, find_builtin_root()).adapters, [_SHOP])


def _sandbox(folder: Path, content: bytes) -> None:
    _file(folder, "config/sandbox.json", content)
    layers = load_configuration(folder, find_builtin_root()).sandbox
    assert layers is not None
    granted = resolve_grants(layers, ["shop"])
    assert parse_base_grants(content) == granted
    assert keep_known(granted, granted) == ({name: each for name, each in granted.items() if each}, ())


def _packages(folder: Path, content: bytes) -> None:
    pins = read_pinned_packages(Path(_file(folder, "config/adapter-packages.json", content)).parent.parent)
    try:
        load_pinned_locations(pins, str(folder), None)
    except ConfigError as problem:
        _no(fault for fault in problem.faults if "isn't installed" not in str(fault))


def _npm(folder: Path, content: bytes) -> None:
    _file(folder, "package.json", content)
    _file(folder, "node_modules/tool/package.json", content)
    _file(folder, "node_modules/tool/adapter/manifest.json", b"{}")
    _no(said for said in warn_unpinned(str(folder), {}) if "isn't pinned" not in said)


def _beside_manifest(name: str, content_of: Callable[[bytes], bytes] = bytes) -> Callable[[Path, bytes], None]:
    def read(folder: Path, content: bytes) -> None:
        if name != "manifest.json":
            _file(folder, "adapters/shop/manifest.json", _json(MANIFEST))
        _file(folder, f"adapters/shop/{name}", content_of(content))
        tools = ToolAdapters(str(find_builtin_root()), read_tool_document)
        discover([SearchLocation(str(folder / "adapters"), Origin.REPOSITORY)], read_manifest_document, tools)

    return read


def _fixture(folder: Path, content: bytes) -> None:
    _file(folder, "fixtures/case/fixture.json", content)
    _, wrong = read_fixtures(folder / "fixtures", ("shop:count",), read_fixture_document)
    _no(wrong)


def _baseline(_folder: Path, content: bytes) -> None:
    parse_baseline(content, TODAY)


_SHAPE = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}
_MAKER = Manifest(
    *("maker", "1", "bin/run", "/adapters/maker", Origin.REPOSITORY, "0"),
    capabilities=(
        Capability("code:lint", outputs=(Output("lint.json", "verigate:lint.v1", ("/timestamp", "/*/duration")),)),
        Capability(
            "shop:count",
            outputs=(
                Output("count.json", "shop:count.v1", ("/*/n",), {"minimum": 0}),
                Output("n.txt", "media:integer"),
                Output("free.json"),
            ),
        ),
    ),
    media_specs={"shop:count.v1": {"media_type": "application/json", "schema": _SHAPE}},
)


def _artifact(capability: str, path: str) -> Callable[[Path, bytes], None]:
    planned = PlannedCapability(capability, True, (), _MAKER)
    return lambda _folder, content: void(accept_artifact(planned, path, content, check_media))


def _published(name: str) -> Callable[[Path, bytes], None]:
    """``name`` of a task whose other files, and whose digests, fit it."""

    def read(folder: Path, content: bytes) -> None:
        files = {"run.json": _json(RUN), "count.json": b'{"n": 1}\n'} | ({name: content} if name in ENTRIES else {})
        for path, text in files.items():
            _file(folder, f"T_test/{path}", text)
        index = content if name == "artifacts.json" else _json(_index(files))
        _file(folder, "T_test/artifacts.json", index)
        sums = "".join(f"{entry['sha256']}  {entry['path']}\n" for entry in _index(files)["files"])
        _file(folder, "T_test/checksums.sha256", sums.encode())
        _file(folder, "T_test/verdict.json", content if name == "verdict.json" else _json(_verdict(index)))
        reload_artifacts(read_published(folder / "T_test"))

    return read


ENTRIES = ("run.json", "count.json")


def _index(files: Mapping[str, bytes]) -> dict[str, Any]:
    entries = [
        {
            "path": path,
            "sha256": hashlib.sha256(content).hexdigest(),
            "is_json": True,
            "volatile": ["/*/n"],
            "media_spec": None,
            "producer": "shop:count" if path == "count.json" else None,
        }
        for path, content in sorted(files.items())
    ]
    return {"task_id": "T_test", "files": entries}


def _verdict(index: bytes) -> dict[str, Any]:
    return {"task_id": "T_test", "metadata": {"index_sha256": hashlib.sha256(index).hexdigest()}}


def _current(folder: Path, content: bytes) -> None:
    _file(folder, ".artifacts/current", content)
    read_current_task(folder)


def _text(*readers: Callable[[str], Any]) -> Callable[[Path, bytes], None]:
    def read(_folder: Path, content: bytes) -> None:
        for reader in readers:
            reader(content.decode("utf-8", "replace"))

    return read


def _rule(folder: Path, content: bytes) -> None:
    """A custom rule of a profile, as configuration and as it is evaluated."""
    rule = {"id": "small", "expr": content.decode("utf-8", "replace"), "when": "true"}
    _file(folder, "config/verification.profiles.json", _json({"shop": {"rules": [rule]}}))
    load_configuration(folder, find_builtin_root())
    limit = sys.getrecursionlimit()
    try:
        [check] = check_custom_rules(
            literal_facts.facts({"rules": [rule]}, {"lint.json": LINT}), {"lint": {"errors": 1}}
        )
    finally:
        # celpy raises it for everybody, which hypothesis warns of.
        sys.setrecursionlimit(limit)
    _no([check.message or "it can't be evaluated"] if check.outcome is CheckOutcome.ERROR else [])


def _trailer(folder: Path, content: bytes) -> None:
    """A commit's message, for what its trailers name, and as a draft that one is added to."""
    insert_trailer(Draft(content), "T_test", os.environ)
    if not (folder / ".git").is_dir():
        _git(folder, "init", "--quiet", "--template=")
    made = _git(folder, "commit", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim", "-qF-", stdin=content)
    if made.returncode != 0:
        raise Refused([made.stderr.decode("utf-8", "replace")[:300]])
    History(folder, os.environ).tasks("HEAD")
    Target(folder, None, ref="HEAD").choice()


def _git(folder: Path, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    person = ("-c", "user.name=A", "-c", "user.email=a@example.invalid", "-c", "core.hooksPath=/dev/null")
    return subprocess.run(("git", *person, *arguments), cwd=folder, input=stdin, capture_output=True, check=False)


def _hook(host: Host) -> Callable[[Path, bytes], None]:
    """What a host of agents sends to a hook: the turn, its session, its statements, and every answer."""

    def read(folder: Path, content: bytes) -> None:
        document = document_of(content)
        turn = host.turn(document, {})
        sessions = Sessions(folder, host.name)
        session = Session("T_test", {}, said=(turn.message or "")[-99:], reason=(turn.prompt or "")[:99])
        sessions.write(turn.session, turn.agent, session)
        assert sessions.read(turn.session, turn.agent) == session
        for text in sentences(turn.message or "")[:MAX_READ]:
            read_statement(text)
        assert isinstance(turn.folder, str | None)
        for event in Event:
            host.block(event, (turn.message or "")[:99])
            host.allow(event, (turn.prompt or "")[:99])

    return read


def void(_value: Any) -> None:
    """Nothing of it."""


def _json(value: Any) -> bytes:
    return json.dumps(value).encode("utf-8", "surrogatepass")


def _in_manifest(text: bytes) -> bytes:
    urn = text.decode("utf-8", "replace")
    return _json({**MANIFEST, "capabilities": [{"name": "shop:count", "urn": urn, "outputs": []}]})


EXPECTED = (GateError, ArtifactInvalidError, UrnError, MediaSpecError, spec_id.SpecIdError, media_type.MediaTypeError)
"""What readers refuse a document with, besides Refused."""

CLAIM = {
    "schema": "verigate:claim.v1",
    "task_id": "T_test",
    "actor": "codex",
    "timestamp": 1,
    "scope": {"a": [1]},
    "claim": {
        "type": "code",
        "units_total": 3,
        "units_list": ["file:src/shop.py", "func:total", "statement:1"],
        "statements": ["All tests pass", {"id": "two", "text": "92% coverage"}],
        "summary": "done",
    },
}
COMMITMENT = {
    "task_id": "T_test",
    "type": "code",
    "profile": "strict",
    "base": "HEAD",
    "user_instruction": "add it",
    "commitments": {
        "expected_total": 2,
        "scope": {"files": ["src/*.py", "docs"], "functions": ["total"], "endpoints": [], "target_directory": "src"},
        "quality": {"tests_min": 3, "lint_clean": True, "latency_ms": {"p95": 200}, "statements": "require"},
    },
    "requirements": {"functions": ["total"], "endpoints": ["GET /"]},
}
PLAN = {"shop": {"order": ["shop:count", "code:lint"], "required": ["shop:count"], "optional": ["code:lint"]}}
PROFILES = {
    "base": {"tests_min": 1, "latency_ms": {"p95": 200}, "required_artifacts": ["lint.json"]},
    "shop": {
        "extends": ["base", "code"],
        "description": "a shop",
        "tests_min": None,
        "headings_required": ["Use"],
        "rules": [{"id": "small", "expr": 'artifacts["lint.json"].errors < 3', "when": "true", "message": "too many"}],
    },
}
MANIFEST = {
    "name": "shop",
    "version": "1.0.0",
    "entry": "bin/run",
    "capabilities": [
        "shop:list",
        {
            "name": "shop:count",
            "urn": 'cap:op=count;in=media:string;out="shop:report.v1"',
            "needs": ["shop:list"],
            "inputs": ["list.json"],
            "triggers": ["count"],
            "arguments": [
                {"name": "most", "media_spec": "media:integer", "cli_flag": "--most", "validation": {"min": 1}},
                {"name": "word", "media_spec": "media:string", "position": 0, "validation": {"pattern": "^[a-z]+$"}},
            ],
            "outputs": [{"path": "shop/count.json", "media_spec": "shop:report.v1", "volatile": ["/at"]}],
            "flags": {"destructive": False},
        },
    ],
    "sandbox": {"tools": ["git"], "timeout": 30, "network": False, "memory_mb": 64, "filesystem": "readonly"},
    "media_specs": {
        "shop:report.v1": {"media_type": "application/json", "profile_uri": "https://x.org/r", "schema": _SHAPE},
        "shop:notes.v1": "text/plain; profile=https://x.org/notes",
    },
    "config": {"defaults": {"most": 3}, "schema": {"type": "object", "properties": {"most": {"type": "integer"}}}},
}
CAP = """\
title = "Sum"
command = "sum"
stdin = "media:string"
[media_specs."shop:report.v1"]
media_type = "application/json"
schema.type = "object"
schema.properties.n = { type = "integer", minimum = 0 }
[urn.tags]
op = "count"
out = "shop:report.v1"
[[arguments.required]]
name = "path"
media_spec = "media:string"
cli_flag = "path"
position = 0
[[arguments.optional]]
name = "most"
media_spec = "media:integer"
cli_flag = "--most"
default = 3
validation = { min = 1, max = 9 }
[output]
media_spec = "shop:report.v1"
"""
FIXTURE = {
    "files": {"a.txt": "a", "src/b.py": "#!/usr/bin/python\n"},
    "base": {"a.txt": "b", "src/b.py": None},
    "capabilities": ["shop:count"],
    "after": ["shop:count"],
    "config": {"most": 1},
    "commitment": {"requirements": {"functions": ["f"]}},
    "claim": {"units_list": ["file:a.txt"]},
    "issues": True,
    "refuses": ["shop:count"],
    "expect": {"shop/count.json": {"/n": 1}},
}
ENTRY = {
    "path": "src/shop.py",
    "rule": "E1",
    "tool": "ruff",
    "fingerprint": "0" * 64,
    "count": 2,
    "created": "2026-11-01",
    "expires": "2026-12-24",
    "reason": "before the gate",
}
KNOWN = {
    **{key: ENTRY[key] for key in ("count", "created", "expires", "reason")},
    "id": "tests.test_a.test_b",
    "path": "tests/test_a.py",
}
BASELINE = {
    "schema": "verigate:baseline.v1",
    "entries": [ENTRY, {**ENTRY, "path": "src/b.py"}],
    "tests": [KNOWN, {**KNOWN, "path": ""}],
}
SANDBOX = {
    "shop": {
        "network": {"access": "hosts", "reason": "a server"},
        "bind": [{"path": "~/data", "reason": "words"}, {"path": "made/by-hand", "mode": "rw", "reason": "made"}],
        "env": [{"name": "SHOP_KEY", "reason": "a key"}],
    }
}
PACKAGES = {"npm": {"tool": f"sha256:{'0' * 64}", "@shop/tool": f"sha256:{'1' * 64}"}}
NPM = {"name": "x", "dependencies": {"tool": "^1"}, "devDependencies": {}, "verigate": {"adapter": "adapter"}}
LINT = {
    "errors": 1,
    "warnings": 0,
    "files_checked": 2,
    "issues": [{"path": "a.py", "line": 3, "rule": "E1", "severity": "error", "message": "m", "tool": "ruff"}],
    "tools": [],
    "timestamp": "2026-11-22T00:00:00Z",
}
RUN = {"task_id": "T_test", "runs": [], "plan": {"entry": {}, "capabilities": []}}

INDEX = _index({"run.json": _json(RUN), "count.json": b'{"n": 1}\n'})

HOOK = {
    "session_id": "s1",
    "sessionId": "s1",
    "conversation_id": "s1",
    "session": "s1",
    "agent_id": "a1",
    "cwd": "/srv/shop",
    "folder": "/srv/shop",
    "workspace_roots": ["/srv/shop"],
    "prompt": "add a total",
    "last_assistant_message": "All 5 tests pass.",
    "prompt_response": "Done.",
    "text": "Done.",
    "message": "Done.",
    "stop_hook_active": False,
    "loop_count": 0,
    "status": "completed",
    "looping": False,
    "stopReason": "end",
}
"""The members of all hosts together."""

JSON: Mapping[str, Parser] = {
    **{f"hook of {name}": Parser(HOOK, _hook(host)) for name, host in HOSTS.items()},
    "claim": Parser(CLAIM, _claim),
    "commitment": Parser(COMMITMENT, _commitment),
    "plan": Parser(PLAN, _configuration("adapter-plan.json")),
    "profiles": Parser(PROFILES, _configuration("verification.profiles.json")),
    "adapters configuration": Parser({"shop": {"most": 1}}, _adapters),
    "sandbox": Parser(SANDBOX, _sandbox),
    "packages": Parser(PACKAGES, _packages),
    "package.json": Parser(NPM, _npm),
    "manifest": Parser(MANIFEST, _beside_manifest("manifest.json")),
    "fixture": Parser(FIXTURE, _fixture),
    "baseline": Parser(BASELINE, _baseline),
    "standard artifact": Parser(LINT, _artifact("code:lint", "lint.json")),
    "artifact with a schema": Parser({"n": 1}, _artifact("shop:count", "count.json")),
    "artifact of no type": Parser({"a": {"b": [1]}}, _artifact("shop:count", "free.json")),
    "index": Parser(INDEX, _published("artifacts.json")),
    "verdict": Parser(_verdict(_json(INDEX)), _published("verdict.json")),
    "run record": Parser(RUN, _published("run.json")),
    "published artifact": Parser({"n": 1, "a": {"n": 2}}, _published("count.json")),
}
TOML: Mapping[str, Parser] = {
    "cap definition": Parser(CAP, _beside_manifest("count.toml")),
    "tool adapter": Parser(UNIX, _beside_manifest("unix.toml")),
}
TEXTS: Mapping[str, Parser] = {
    "cap URN": Parser('cap:op=extract;ext="PDF";in=media:pdf;?x;!y', _text(cap.parse)),
    "URN in a manifest": Parser("cap:op=count;in=media:string", _beside_manifest("manifest.json", _in_manifest)),
    "spec ID": Parser(
        "shop:report.v1;a;b=c", _text(spec_id.parse, lambda text: resolve(text, {"shop:report.v1": "image/png"}))
    ),
    "media type": Parser('text/plain; charset="utf-8"; profile=https://x.org/a', _text(media_type.parse)),
    "media spec": Parser("text/plain; profile=https://x.org/a", _text(parse_media_spec)),
    "current": Parser("T_test\n", _current),
    "statement": Parser("All 12 tests pass, `ruff check` is clean and coverage is 92%.", _text(read_statement)),
    "prose": Parser("# Done\n\n- [x] All tests pass\n\n| a | b |\n| - | - |\n| 1 | 2 |\n", _text(split_statements)),
    "scope": Parser("src/**/*.py", _text(lambda text: named_by([text], text)("a/" * 50 + "b.py"))),
    "text artifact": Parser("12", _artifact("shop:count", "n.txt")),
    "custom rule": Parser('artifacts["lint.json"].errors <= 1 && metrics.lint.errors == 1 && size(claim) == 0', _rule),
    "commit message": Parser("Add a total\n\nIt sums.\n\nGate-Task: T_test\nSigned-off-by: A <a@b>\n", _trailer),
    "pointer": Parser("/a/0/~1", _text(lambda text: pointer.copy_without({"a": [{"/": 1}]}, [f"/{text}"]))),
}
PARSERS: Mapping[str, Parser] = {**JSON, **TOML, **TEXTS}


def outcome(name: str, folder: Path, content: bytes) -> str | None:
    """What a reader says of these bytes, None if it takes them. Raises whatever else it runs into."""
    try:
        PARSERS[name].read(folder, content)
    except (Refused, *EXPECTED) as problem:
        said = problem.faults if isinstance(problem, Refused | GateError) else (str(problem),)
        return "\n".join(map(str, said))
    return None


def valid_text(name: str) -> bytes:
    """The document that a reader accepts."""
    document = PARSERS[name].valid
    return document.encode() if isinstance(document, str) else _json(document)
