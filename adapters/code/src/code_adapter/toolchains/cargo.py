"""cargo: its environment, its messages, and the crates and toolchains that are missing."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from code_adapter.environment import TOOL_TIMEOUT_S, make_tool_environ
from verigate.sdk import Request, ToolFailed, ToolRun, clean_text, run_tool
from verigate.sdk.reports.untrusted import reject_malformed

NOT_INSTALLED = "cargo is not installed: install Rust (rustup.rs; on Debian: apt-get install cargo)"

_LACKS = (
    re.compile(r"no matching package named `([^`]+)` found\s+location searched: (?!/)"),
    re.compile(r"no matching package found\s+searched package name: `([^`]+)`"),
    re.compile(r"failed to download `([^`(]+?)(?: \([^`]*)?`"),
    re.compile(r"failed to get `([^`]+)` as a dependency"),
    re.compile(r"failed to select a version for the requirement `(\S+ = \"[^\"]*\")`"),
    re.compile(r"failed to load source for dependency `([^`]+)`"),
)
_OFFLINE = re.compile(r"offline mode|--offline was specified|failed to unpack package")
_NO_TOOLCHAIN = re.compile(r"toolchain '([^']+)' is not installed|toolchain `([^`]+)` is not installed")
_TOO_OLD = re.compile(
    r"(requires rustc \S+ or newer.*|rustc \S+ is not supported by the following packages?:?.*"
    r"|feature `edition\d+` is required)"
)


def run_cargo(
    request: Request, folder: str, argv: Sequence[str], watch: Callable[[bytes], None] | None = None, **more: str
) -> ToolRun:
    """Run cargo in ``folder``. Raises ToolFailed if crates or a toolchain that it needs are not on this machine."""
    env = make_cargo_environ(request, folder) | more
    run = run_tool(argv, cwd=request.repo_root / folder, timeout_s=TOOL_TIMEOUT_S, env=env, watch=watch)
    require_crates(run, folder)
    return run


def make_cargo_environ(request: Request, folder: str) -> dict[str, str]:
    """Make the environment of cargo: with a target folder in the repository, and without the user's wrapper of rustc.

    What such a wrapper caches (sccache) can't be written in a sandbox.
    """
    env = make_tool_environ(request, CARGO_TERM_COLOR="never", RUST_BACKTRACE="0")
    if request.gated:
        env["RUSTC_WRAPPER"] = ""
        if _has_target_elsewhere(request, folder, env):
            env["CARGO_TARGET_DIR"] = str(request.repo_root / folder / "target")
    return env


def _has_target_elsewhere(request: Request, folder: str, env: dict[str, str]) -> bool:
    """Whether a configuration names a target folder that isn't in the repository."""
    home = Path(env["CARGO_HOME"]) if "CARGO_HOME" in env else None
    places = [request.repo_root / folder / ".cargo", request.repo_root / ".cargo", *([home] if home else [])]
    for place in places:
        for name in ("config.toml", "config"):
            try:
                build = tomllib.loads((place / name).read_text("utf-8")).get("build", {})
            except (OSError, ValueError, AttributeError):
                continue
            target = build.get("target-dir") if isinstance(build, dict) else None
            if isinstance(target, str):
                # Relative to the folder that holds .cargo, or to the parent of cargo's home.
                return not (place.parent / target).resolve().is_relative_to(request.repo_root.resolve())
    return False


def require_crates(run: ToolRun, folder: str) -> None:
    """Raise ToolFailed if cargo ended because crates, or a version of Rust, are not on this machine."""
    if run.exit_code == 0:
        return
    text, where = clean_text(run.stderr), folder or "."
    if missing := _NO_TOOLCHAIN.search(text):
        name = missing[1] or missing[2]
        raise run.as_failure(
            f"the toolchain {name} is not installed", where=where, hint=f"run rustup toolchain install {name}"
        )
    if old := _TOO_OLD.search(text):
        raise ToolFailed(f"Rust is too old here: {old[1]}", where=where, hint="install a newer Rust", output=run.output)
    names = list(dict.fromkeys(name for pattern in _LACKS for name in pattern.findall(text)))
    if names and _OFFLINE.search(text):
        named = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        message = f"crates are not on this machine: {named}"
        hint = "run cargo fetch in that folder, with a network"
        raise ToolFailed(message, where=where, hint=hint, output=run.output)


def _list_messages(raw: bytes) -> Iterator[dict[str, Any]]:
    """List the JSON messages of an output. Source: https://doc.rust-lang.org/cargo/reference/external-tools.html."""
    for line in raw.splitlines():
        if line.startswith(b"{"):
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(message, dict):
                yield message


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What rustc reports. ``path`` is as rustc names it, "" without a place; ``line`` and ``column`` count from 1."""

    level: str
    path: str
    line: int
    column: int
    message: str
    rendered: str


def read_diagnostics(run: ToolRun) -> tuple[Diagnostic, ...]:
    """Read rustc's errors and warnings. Raises ReportInvalid for messages of another shape: tests print there too."""
    return _read_diagnostics(run.stdout, "cargo")


@reject_malformed
def _read_diagnostics(raw: bytes, _tool: str) -> tuple[Diagnostic, ...]:
    return tuple(_list_diagnostics(raw))


def _list_diagnostics(raw: bytes) -> Iterator[Diagnostic]:
    for item in _list_messages(raw):
        message = item.get("message")
        if item.get("reason") != "compiler-message" or not isinstance(message, dict):
            continue
        if message.get("level") not in {"error", "warning"}:
            continue
        spans = [span for span in message.get("spans", []) if span.get("is_primary")]
        span = spans[0] if spans else {}
        text = str(message.get("message", ""))
        yield Diagnostic(
            str(message["level"]),
            str(span.get("file_name", "")),
            int(span.get("line_start", 0)),
            int(span.get("column_start", 0)),
            text,
            str(message.get("rendered") or text),
        )


@dataclass(frozen=True, slots=True)
class Target:
    """A target of a package that was compiled as a test program. ``manifest`` is the path of its Cargo.toml."""

    manifest: str
    kind: str
    name: str
    program: str

    def has_harness(self) -> bool:
        """Whether libtest is its main function. Raises ToolFailed for a manifest that can't be read."""
        try:
            manifest = tomllib.loads(Path(self.manifest).read_text("utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise ToolFailed(f"{self.manifest} can't be read: {error}") from error
        key = {"bin": "bin", "test": "test", "bench": "bench", "example": "example"}.get(self.kind, "lib")
        listed = manifest.get(key, [])
        tables = listed if isinstance(listed, list) else [listed]
        own = [
            table for table in tables if isinstance(table, dict) and (key == "lib" or table.get("name") == self.name)
        ]
        return not any(table.get("harness") is False for table in own)


def read_test_targets(run: ToolRun) -> tuple[tuple[Target, ...], bool]:
    """Return the compiled test programs, and whether there is a library, which may have documentation tests.

    Raises ReportInvalid for messages of another shape.
    """
    return _read_test_targets(run.stdout, "cargo")


@reject_malformed
def _read_test_targets(raw: bytes, _tool: str) -> tuple[tuple[Target, ...], bool]:
    targets: dict[str, Target] = {}
    library = False
    for message in _list_messages(raw):
        if message.get("reason") != "compiler-artifact":
            continue
        target = message["target"]
        kinds = target.get("kind", [])
        if message.get("executable") and message["profile"]["test"]:
            program = str(message["executable"])
            targets[program] = Target(str(message["manifest_path"]), str(kinds[0]), str(target["name"]), program)
        library = library or (bool(target.get("doctest")) and "lib" in kinds)
    return tuple(targets.values()), library
