"""Run clippy on a cargo workspace and read rustc's JSON diagnostics. Any level but error is a warning."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from code_adapter.detection import Missing
from code_adapter.environment import PROBE_TIMEOUT_S, make_tool_environ
from code_adapter.lint.linters import Linter
from code_adapter.subject_files import NOT_PROJECTS, SubjectFiles
from code_adapter.toolchains.cargo import run_cargo
from verigate.sdk import Request, ToolRun, run_tool
from verigate.sdk.clippy_install import list_clippy_commands
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.lint import LintRun
from verigate.sdk.reports.sarif import LintFinding

_CONFIGURED = ("clippy.toml", ".clippy.toml")
_DID_NOT_COMPILE = 101
_UNSTABLE = b'"E0554"'
"""A feature of a nightly compiler, by which most benches measured before Rust had stable ones."""

_BUT_BENCHES = ("--lib", "--bins", "--tests", "--examples")


def detect(request: Request, files: SubjectFiles) -> Iterator[Linter | Missing]:
    """Yield a run for each topmost Cargo.toml."""
    for folder in files.projects("Cargo.toml"):
        sources = tuple(
            path
            for path in files.below(folder)
            if path.endswith(".rs") and not NOT_PROJECTS.intersection(path.split("/")[:-1])
        )
        version = _version(request)
        if version is None:
            due = any(path.rpartition("/")[2] in _CONFIGURED for path in files.below(folder))
            yield Missing("clippy", folder, _explain_missing(request), due=due)
        else:
            yield Linter("clippy", folder, partial(run_clippy, request, folder, sources, version))


def _explain_missing(request: Request) -> str:
    path = make_tool_environ(request)["PATH"]
    if shutil.which("cargo", path=path) is None:
        return "cargo is not installed"
    return f"cargo has no clippy: {', or '.join(list_clippy_commands(path))}"


def _version(request: Request) -> str | None:
    env = make_tool_environ(request)
    if shutil.which("cargo", path=env["PATH"]) is None:
        return None
    run = run_tool(["cargo", "clippy", "--version"], cwd=request.repo_root, timeout_s=PROBE_TIMEOUT_S, env=env)
    words = run.stdout.decode("utf-8", "replace").split()
    return words[1] if run.exit_code == 0 and len(words) > 1 else None


def run_clippy(request: Request, folder: str, sources: tuple[str, ...], version: str) -> LintRun:
    """Return unique findings of all targets. Those of ``sources`` that rustc read are checked: a target names the rest.

    Benches for a nightly compiler are left out, as cargo itself does unless it is asked for them.

    Raises ToolFailed unless cargo ended with a successful or a failed build.
    """
    texts = Texts(request.repo_root)
    run, argv = _start(request, folder, "--all-targets")
    left_out: frozenset[str] = frozenset()
    if run.exit_code and _UNSTABLE in run.stdout:
        left_out = frozenset(_list_benches(run.stdout, folder, texts))
        run, argv = _start(request, folder, *_BUT_BENCHES)
    if run.exit_code not in {0, _DID_NOT_COMPILE} or run.truncated:
        raise run.as_failure(f"cargo clippy ended with {run.ended}")
    findings = tuple(sorted(set(_findings(run.stdout, folder, texts))))
    errors = sum(finding.severity == "error" for finding in findings)
    if (errors > 0) != (run.exit_code == _DID_NOT_COMPILE):
        raise run.as_failure(f"cargo clippy ended with {run.ended} but reports {errors} errors")
    read = _list_read(run.stdout, folder, texts) - left_out if run.exit_code == 0 else frozenset()
    listed = (path for source in sources if (path := texts.path(source)) is not None)
    checked = tuple(sorted(path for path in listed if run.exit_code or path in read))
    return LintRun("clippy", version, folder, checked, findings, argv, run.exit_code or 0)


def _start(request: Request, folder: str, *targets: str) -> tuple[ToolRun, tuple[str, ...]]:
    argv = ("cargo", "clippy", "--offline", "--workspace", *targets, "--message-format=json")
    return run_cargo(request, folder, argv), argv


def _list_benches(stdout: bytes, folder: str, texts: Texts) -> Iterator[str]:
    """List the files of the benches that didn't compile."""
    for event in _read_events(stdout):
        target, message = event.get("target"), event.get("message")
        if not isinstance(target, dict) or not isinstance(message, dict) or message.get("level") != "error":
            continue
        if "bench" in (target.get("kind") or ()) and (path := texts.path(str(target.get("src_path")), folder)):
            yield path


def _list_read(stdout: bytes, folder: str, texts: Texts) -> frozenset[str]:
    """List the files that rustc read: its notes for make, ``*.d`` next to what it wrote, have a line for each."""
    places = {
        Path(name).parent
        for event in _read_events(stdout)
        if event.get("reason") == "compiler-artifact"
        for name in event.get("filenames") or ()
    }
    found = set()
    for note in sorted(note for place in places for note in place.glob("*.d")):
        try:
            lines = note.read_text("utf-8", "replace").splitlines()
        except OSError:
            continue
        found |= {texts.path(line[:-1].replace("\\ ", " "), folder) for line in lines if line.endswith(".rs:")}
    return frozenset(path for path in found if path is not None)


def _read_events(stdout: bytes) -> Iterator[Mapping[str, Any]]:
    for line in stdout.splitlines():
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict):
            yield event


def _findings(stdout: bytes, folder: str, texts: Texts) -> Iterator[LintFinding]:
    for event in _read_events(stdout):
        message = event.get("message")
        if event.get("reason") != "compiler-message" or not isinstance(message, dict):
            continue
        span = _primary(message.get("spans"))
        # A summary ("2 warnings emitted") has no location and isn't a finding.
        if not span and not message.get("code"):
            continue
        code = message.get("code")
        yield LintFinding(
            texts.path(str(span.get("file_name", "")), folder) or str(span.get("file_name", "")),
            int(span.get("line_start") or 0),
            int(span.get("column_start") or 0),
            str(code.get("code", "")) if isinstance(code, dict) else "",
            "error" if str(message.get("level", "")).startswith("error") else "warning",
            texts.message(str(message.get("message", ""))),
            "clippy",
        )


def _primary(spans: Any) -> dict[str, Any]:
    found = [span for span in spans or [] if isinstance(span, dict) and span.get("is_primary")]
    return found[0] if found else {}
