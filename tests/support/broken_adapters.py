"""Adapters that break the contract in one way each: ``tests/adapters/conforming`` with one change.

A change is a list of edits (file, text that stands there once, text in its place), or a function of the adapter's
folder for what isn't text. ``CODE`` is the conforming adapter's program.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

CONFORMING = Path(__file__).resolve().parents[1] / "adapters" / "conforming"
CODE, MANIFEST, FIXTURE = "bin/adapter", "manifest.json", "fixtures/two-files/fixture.json"

Edit = tuple[str, str, str]

WRITE = '    write(asked.task_dir, "licence.json", licence())\n'
CHECKED = '    return {"files_checked": len(checked), "missing": sorted(map(shown, missing))}\n'
SORTED = '"missing": sorted(map(shown, missing))'
STRICT = '        "additionalProperties": false\n'
LOOSE = '        "additionalProperties": true\n'
NO_EXPECTATION: Edit = (FIXTURE, '"issues": true,\n  "expect"', '"issues": true,\n  "claim"')
"""For changes that alter an artifact: what the fixture expects becomes part of a claim that nobody reads."""

ANYTHING: Edit = (MANIFEST, STRICT, LOOSE)
UNORDERED: Edit = (MANIFEST, ', "x-sorted": true', "")


@dataclass(frozen=True)
class Broken:
    """One broken adapter: the code it is caught with, the change, and what the message must tell."""

    code: str
    edits: tuple[Edit, ...] = ()
    more: Callable[[Path], None] | None = None
    tells: str = ""

    def make(self, folder: Path) -> Path:
        """The adapter in ``folder``, which isn't there yet."""
        shutil.copytree(CONFORMING, folder)
        for file, old, new in self.edits:
            path = folder / file
            text = path.read_text("utf-8")
            assert text.count(old) == 1, (file, old, text.count(old))
            path.write_text(text.replace(old, new), encoding="utf-8")
        if self.more is not None:
            self.more(folder)
        return folder


def before_write(*lines: str) -> Edit:
    """Lines of ``main`` before the artifact is written."""
    return (CODE, WRITE, "".join(f"    {line}\n" for line in lines) + WRITE)


def after_write(*lines: str) -> Edit:
    """Lines of ``main`` after the artifact is written."""
    return (CODE, WRITE, WRITE + "".join(f"    {line}\n" for line in lines))


def member(expression: str) -> tuple[Edit, ...]:
    """One more member ``more`` of the artifact."""
    return (NO_EXPECTATION, ANYTHING, (CODE, SORTED, f'{SORTED}, "more": {expression}'))


def _crlf(folder: Path) -> None:
    path = folder / CODE
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


BROKEN: dict[str, Broken] = {
    "manifest-missing": Broken(
        "MANIFEST_SCHEMA", more=lambda folder: (folder / MANIFEST).unlink(), tells="no manifest"
    ),
    "manifest-is-no-json": Broken("MANIFEST_SCHEMA", ((MANIFEST, '"version": "1.0.0",', '"version": "1.0.0"'),)),
    "manifest-without-entry": Broken("MANIFEST_SCHEMA", ((MANIFEST, '"entry": "bin/adapter",', ""),), tells="entry"),
    "capability-without-domain": Broken(
        "MANIFEST_SCHEMA", ((MANIFEST, '"name": "headers:licence"', '"name": "licence"'),), tells="licence"
    ),
    "unresolvable-media-spec": Broken(
        "MANIFEST_SCHEMA",
        ((MANIFEST, '"media_spec": "headers:licence.v1"', '"media_spec": "headers:licenses.v1"'),),
        tells="headers:licence.v1",
    ),
    "entry-leads-out": Broken(
        "MANIFEST_SCHEMA", ((MANIFEST, '"entry": "bin/adapter"', '"entry": "../bin/adapter"'),), tells="leads out"
    ),
    "unknown-manifest-key": Broken("MANIFEST_UNKNOWN_KEY", ((MANIFEST, '"sandbox": {', '"sandbx": {}, "sandbox": {'),)),
    "unknown-key-of-a-capability": Broken(
        "MANIFEST_UNKNOWN_KEY",
        ((MANIFEST, '"outputs": [', '"output": [], "outputs": ['),),
        tells="/capabilities/0/output: unknown key 'output' (did you mean 'outputs'?)",
    ),
    "defaults-refused": Broken(
        "CONFIG_DEFAULTS",
        (
            (
                MANIFEST,
                '"sandbox": {',
                '"config": {"defaults": {"a": 1}, "schema": {"properties": {"a": {"type": "string"}}}}, "sandbox": {',
            ),
        ),
    ),
    "entry-missing": Broken("ENTRY_MISSING", ((MANIFEST, '"entry": "bin/adapter"', '"entry": "bin/headers"'),)),
    "entry-not-executable": Broken(
        "ENTRY_NOT_EXECUTABLE", more=lambda folder: (folder / CODE).chmod(0o644), tells="644"
    ),
    "line-ends-of-windows": Broken("ENTRY_INTERPRETER", more=_crlf, tells="CR"),
    "interpreter-undeclared": Broken("ENTRY_INTERPRETER", ((MANIFEST, '"git", "python3"', '"git"'),), tells="python3"),
    "interpreter-missing": Broken(
        "ENTRY_INTERPRETER", ((CODE, "#!/usr/bin/env python3", "#!/opt/nowhere/python"),), tells="/opt/nowhere/python"
    ),
    "fixture-with-unknown-key": Broken("FIXTURE_INVALID", ((FIXTURE, '"issues"', '"isues"'),), tells="isues"),
    "crashes": Broken(
        "CRASH_ON_FIXTURE",
        ((FIXTURE, '"issues": true', '"issues": false'), before_write("raise ValueError(asked)")),
        tells="ValueError",
    ),
    "killed-by-a-signal": Broken("CRASH_ON_FIXTURE", (before_write("os.abort()"),), tells="SIGABRT"),
    "exits-with-the-number-of-findings": Broken(
        "EXIT_NONZERO_ON_FINDINGS",
        ((CODE, "    return 0\n", '    return len(licence()["missing"])\n'),),
        tells="exit code 2",
    ),
    "refuses-to-write-findings": Broken(
        "EXIT_NONZERO_ON_FINDINGS", (before_write('if licence()["missing"]: sys.exit("there are issues")'),)
    ),
    "slower-than-its-timeout": Broken(
        "TIMEOUT_EXCEEDED", ((MANIFEST, '"timeout": 60', '"timeout": 1'), before_write('__import__("time").sleep(30)'))
    ),
    "writes-nothing": Broken("ARTIFACT_MISSING", ((CODE, WRITE, ""),), tells="licence.json"),
    "writes-another-type": Broken(
        "ARTIFACT_INVALID",
        (NO_EXPECTATION, (CODE, '"files_checked": len(checked)', '"files_checked": str(len(checked))')),
        tells="/files_checked",
    ),
    "writes-nan": Broken("ARTIFACT_INVALID", member('float("nan")'), tells="not strict JSON"),
    "writes-a-log": Broken(
        "ARTIFACT_UNDECLARED", (after_write('Path(asked.task_dir, "debug.log").write_text("done")'),), tells="debug.log"
    ),
    "changes-the-commitment": Broken(
        "ARTIFACT_CONFLICT", (after_write('Path(asked.commitment).write_text("{}")'),), tells="commitment.json"
    ),
    "miscounts": Broken(
        "EXPECTATION_FAILED",
        ((CODE, '"files_checked": len(checked)', '"files_checked": len(checked) + 1'),),
        tells="expected 3, found 4",
    ),
    "sorts-backwards": Broken(
        "NOT_SORTED",
        (NO_EXPECTATION, (CODE, "sorted(map(shown, missing))", "sorted(map(shown, missing), reverse=True)")),
        tells="/missing/1",
    ),
    "writes-the-time": Broken(
        "TIMESTAMP_IN_CONTENT", member('__import__("datetime").datetime.now().isoformat()'), tells="/more"
    ),
    "writes-seconds-of-the-epoch": Broken(
        "TIMESTAMP_IN_CONTENT", member('int(__import__("time").time() * 1000)'), tells="/more"
    ),
    "writes-the-day": Broken("TIMESTAMP_IN_CONTENT", member('str(__import__("datetime").date.today())'), tells="/more"),
    "writes-a-file-s-time": Broken(
        "TIMESTAMP_IN_CONTENT", member('int(os.stat("notes.txt").st_mtime) if Path("notes.txt").exists() else 0')
    ),
    "writes-absolute-paths": Broken("PATH_IN_CONTENT", member("os.getcwd()"), tells="/more"),
    "writes-a-random-number": Broken("NOT_DETERMINISTIC", member('__import__("random").random()'), tells="/more"),
    "writes-the-order-of-a-folder": Broken(
        "NOT_DETERMINISTIC", member('[name for name in os.listdir(".") if name != ".git"]'), tells="another order"
    ),
    "writes-the-order-of-a-set": Broken(
        "NOT_DETERMINISTIC", member('list({"one", "two", "three", "four", "five", "six"})'), tells="another order"
    ),
    "writes-the-time-zone": Broken("NOT_DETERMINISTIC", member('__import__("time").strftime("%z")'), tells="+1400"),
    "writes-the-locale": Broken("NOT_DETERMINISTIC", member('os.environ["LC_ALL"]'), tells="C.UTF-8"),
    "writes-the-name-of-its-folder": Broken("NOT_DETERMINISTIC", member("Path.cwd().name"), tells="subject"),
    "writes-a-random-artifact": Broken(
        "NOT_DETERMINISTIC",
        (
            (MANIFEST, '"outputs": [', '"outputs": [{ "path": "b.json", "media_spec": "media:object" }, '),
            ANYTHING,
            after_write('write(asked.task_dir, "b.json", {"seed": os.urandom(4).hex()})'),
        ),
        tells="b.json",
    ),
    "says-that-it-passes": Broken("VERDICT_IN_CONTENT", member('{"status": "PASS"}'), tells="/more/status says 'PASS'"),
    "says-whether-it-passed": Broken(
        "VERDICT_IN_CONTENT", member('{"allPassed": not missing}'), tells="/more/allPassed"
    ),
    "leaves-a-cache-in-the-checkout": Broken(
        "WRITES_OUTSIDE", (after_write('try: Path(".cache").write_text("x")', "except OSError: pass"),), tells=".cache"
    ),
    "writes-beside-itself": Broken(
        "WRITES_OUTSIDE",
        (after_write('try: Path(__file__).with_name("state").write_text("x")', "except OSError: pass"),),
        tells="/bin/state",
    ),
    "calls-home": Broken(
        "NETWORK_UNDECLARED",
        (
            after_write(
                "import socket", 'try: socket.create_connection(("192.0.2.1", 443), timeout=1)', "except OSError: pass"
            ),
        ),
        tells="192.0.2.1 port 443",
    ),
    "asks-for-a-name": Broken(
        "NETWORK_UNDECLARED",
        (after_write("import socket", 'try: socket.getaddrinfo("example.org", 443)', "except OSError: pass"),),
        tells="name server",
    ),
    "starts-an-undeclared-tool": Broken(
        "TOOL_UNDECLARED",
        (after_write('subprocess.run(["/usr/bin/perl", "-e", "1"], check=True)'),),
        tells="/usr/bin/perl",
    ),
    "looks-for-an-undeclared-tool": Broken(
        "TOOL_UNDECLARED", (after_write("import shutil", 'shutil.which("jq")'),), tells="jq"
    ),
    "leaves-a-process-behind": Broken(
        "PROCESS_LEFT_BEHIND",
        (after_write('subprocess.Popen(["sleep", "60"], start_new_session=True)'),),
        tells="1 process",
    ),
    "ignores-sigterm": Broken(
        "TIMEOUT_IGNORED", (before_write("import signal", "signal.signal(signal.SIGTERM, signal.SIG_IGN)"),)
    ),
    "serves-any-capability": Broken(
        "UNKNOWN_CAPABILITY_ACCEPTED", ((CODE, "if asked.capability != CAPABILITY:", "if not asked.capability:"),)
    ),
    "divides-by-zero-files": Broken(
        "EMPTY_REPOSITORY", (before_write("1 / len(subject_files())"),), tells="ZeroDivisionError"
    ),
    "reads-quoted-names": Broken(
        "ODD_FILE_NAMES",
        (
            (CODE, '"git", "ls-files", "-z"', '"git", "ls-files"'),
            (CODE, 'listed.split(b"\\0")', 'listed.split(b"\\n")'),
            (CODE, "for path in subject_files() if", "for path in subject_files() if os.path.isfile(path) and"),
        ),
        tells="git quotes",
    ),
    "splits-names-at-spaces": Broken(
        "ODD_FILE_NAMES",
        (
            (CODE, 'listed.split(b"\\0")', 'listed.replace(b"\\0", b" ").split()'),
            (CODE, "for path in subject_files() if", "for path in subject_files() if os.path.isfile(path) and"),
        ),
        tells="a piece of the name",
    ),
    "runs-names-as-commands": Broken(
        "ODD_FILE_NAMES",
        (
            before_write(
                'for path in subject_files(): subprocess.run("cat \\"" + path + "\\" >/dev/null 2>&1", shell=True)'
            ),
        ),
        tells="run as a command",
    ),
    "breaks-on-names-outside-utf-8": Broken(
        "ODD_FILE_NAMES",
        (before_write('[path.encode("utf-8") for path in subject_files()]'),),
        tells="UnicodeEncodeError",
    ),
    "wants-to-write-to-the-checkout": Broken(
        "READ_ONLY_SUBJECT",
        (before_write('if not os.access(".", os.W_OK): sys.exit("it is read-only")'),),
        tells="it is read-only",
    ),
}
"""Name of the broken adapter -> how it is broken, and what it is caught with."""
