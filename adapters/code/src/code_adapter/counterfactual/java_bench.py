"""Run tests of a Maven project again, after Maven compiled them, without a second start of Maven.

Files that differ from what Maven compiled are compiled into a folder of their own, which comes first on the class path
that Surefire used, and the tests run in the virtual machine that compiled them: one for each run, so that nothing of a
run is left for the next one. Where constants change, which compilers copy, all sources are compiled.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from code_adapter.environment import TOOL_TIMEOUT_S, make_tool_environ
from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request, ToolFailed, clean_text, run_tool
from verigate.sdk.reports.outcomes import Case

_PROGRAMS = Path(__file__).with_name("java_runner")
_CLASS_PATH = re.compile(r"\[DEBUG\] test classpath:\s+(?P<entries>/.*)")
_OWN = re.compile(r"\[DEBUG\] provider classpath:\s+(?P<entries>/.*)")
_PLATFORM = re.compile(r"(?:junit-platform-(?:launcher|engine|commons)|opentest4j|apiguardian-api)-[\w.-]+\.jar")
_JUNIT4 = re.compile(r"junit(?:4|-dep)?(?:-\d[\w.-]*|-4\.x)?\.jar")
_CONSTANT = re.compile(rb"\bfinal\b|\binterface\b|@interface\b")
_OPTIONS = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-ea")
_COMPILER = ("-m", "jdk.compiler/com.sun.tools.javac.Main", "-nowarn")
_OUTCOMES: Mapping[str, Literal["passed", "failed", "skipped"]] = {
    "passed": "passed",
    "failed": "failed",
    "skipped": "skipped",
}


@dataclass(frozen=True, slots=True)
class BenchRun:
    """The outcomes of one run; ``why`` says why there are none."""

    cases: tuple[Case, ...] = ()
    why: str = ""


@dataclass
class JavaBench:
    """What Maven compiled of one module: its sources as they were then, and how its tests start."""

    request: Request
    files: SubjectFiles
    module: str
    compiled: Mapping[str, bytes]
    class_path: str
    program: str
    java: str
    private: Path
    runs: int = field(default=0)

    def run(self, planted: Sequence[str], classes: Sequence[str]) -> BenchRun | None:
        """Compile what differs, and the ``planted`` files, and run ``classes``. None if that can't be done here.

        Raises ToolFailed if the tests don't end in their time.
        """
        sources = self._find_changed()
        if sources is None:
            return None
        self.runs += 1
        place = self.private / f"run-{self.runs}"
        (place / "classes").mkdir(parents=True)
        root = self.request.repo_root
        listed, names, report = place / "sources", place / "names", place / "report"
        listed.write_text("".join(f"{root / path}\n" for path in [*sources, *planted]), "utf-8")
        names.write_text("".join(f"{name}\n" for name in classes), "utf-8")
        paths = os.pathsep.join((str(place / "classes"), str(self.private / "programs"), self.class_path))
        home = root / self.module
        start = (self.java, *_OPTIONS, f"-Dbasedir={home}", "-cp", paths, self.program)
        argv = (*start, str(report), str(place / "classes"), str(listed), str(names))
        try:
            run = run_tool(argv, cwd=home, timeout_s=TOOL_TIMEOUT_S, env=make_tool_environ(self.request))
            if run.exit_code is None:
                raise run.as_failure(f"the tests ended with {run.ended}", where=self.module or ".")
            if run.exit_code:
                return BenchRun(why=run.add_cause(f"java ended with {run.ended}"))
            return _read(report)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def _find_changed(self) -> list[str] | None:
        """List the sources that differ from what was compiled; all, where a constant may; None if one is gone."""
        changed = []
        constant = False
        for path, before in self.compiled.items():
            try:
                now = (self.request.repo_root / path).read_bytes()
            except OSError:
                return None
            if now != before:
                changed.append(path)
                constant |= _may_hold_constant(before, now)
        return list(self.compiled) if constant else changed


def prepare_bench(request: Request, files: SubjectFiles, folder: str, module: str, printed: bytes) -> JavaBench | None:
    """Prepare to run the tests of a module again that Maven has just compiled; None where that can't be done.

    ``printed`` is what Maven printed with ``-X``. It needs JUnit 4 or its platform; modules of Java have another path.
    """
    sources = [path for path in files.below(folder) if path.endswith(".java")]
    env = make_tool_environ(request)
    java = shutil.which("java", path=env["PATH"])
    entries, own = _find_class_path(request.repo_root, module, printed)
    if java is None or not entries or any(path.endswith("module-info.java") for path in sources):
        return None
    names = {_name(entry) for entry in (*entries, *own)}
    if any(name.startswith("junit-platform-launcher-") for name in names):
        known = set(map(_name, entries))
        program = "Platform"
        entries += [entry for entry in own if _PLATFORM.fullmatch(_name(entry)) and _name(entry) not in known]
    elif any(map(_JUNIT4.fullmatch, names)):
        program = "JUnit4"
    else:
        return None
    private = Path(tempfile.mkdtemp(prefix="verigate-"))
    try:
        class_path = os.pathsep.join(_keep_compiled(entries, request.repo_root, private))
    except OSError:
        shutil.rmtree(private, ignore_errors=True)
        return None
    compiler = (java, *_OPTIONS[:-1], *_COMPILER, "-d", str(private / "programs"), "-cp", class_path)
    argv = (*compiler, *(str(_PROGRAMS / f"{name}.java") for name in ("Sources", program)))
    (private / "programs").mkdir()
    try:
        built = run_tool(argv, cwd=private, timeout_s=TOOL_TIMEOUT_S, env=env)
    except ToolFailed:
        shutil.rmtree(private, ignore_errors=True)
        raise
    if built.exit_code:
        shutil.rmtree(private, ignore_errors=True)
        return None
    compiled = {path: (request.repo_root / path).read_bytes() for path in sources}
    bench = JavaBench(request, files, module, compiled, class_path, program, java, private)
    weakref.finalize(bench, shutil.rmtree, private, ignore_errors=True)
    return bench


def _name(entry: str) -> str:
    return entry.rpartition("/")[2]


def _keep_compiled(entries: Iterable[str], root: Path, private: Path) -> Iterator[str]:
    """Copy what was compiled into the repository: the next checkout removes it."""
    for number, entry in enumerate(entries):
        place = Path(entry)
        if place.is_dir() and place.resolve().is_relative_to(root.resolve()):
            yield str(shutil.copytree(place, private / f"compiled-{number}", symlinks=True))
        else:
            yield entry


def _find_class_path(root: Path, module: str, printed: bytes) -> tuple[list[str], list[str]]:
    """Find what Surefire says it starts the tests of a module with: their class path, and its own. Empty if unknown.

    It says so before they start: what tests print themselves comes later.
    """
    compiled = str(root / module / "target/test-classes")
    lines = iter(clean_text(printed).splitlines())
    for line in lines:
        found = _CLASS_PATH.fullmatch(line)
        if found is not None and (entries := found["entries"].split("  "))[0] == compiled:
            own = next((each["entries"] for line in lines if (each := _OWN.fullmatch(line)) is not None), "")
            return entries, own.split("  ")
    return [], []


def _may_hold_constant(before: bytes, now: bytes) -> bool:
    """Whether a line that differs may be a constant, which other classes hold a copy of."""
    if re.search(rb"\binterface\b", now):
        return True
    old, new = before.splitlines(), now.splitlines()
    return len(old) != len(new) or any(a != b and _CONSTANT.search(b) for a, b in zip(old, new, strict=True))


def _read(report: Path) -> BenchRun:
    try:
        lines = report.read_text("utf-8", "replace").splitlines()
    except OSError:
        return BenchRun(why="the tests ended the virtual machine")
    if not lines or lines[-1] != "end":
        return BenchRun(why="the tests ended the virtual machine")
    return BenchRun(tuple(_read_cases(lines[:-1])))


def _read_cases(lines: Iterable[str]) -> Iterator[Case]:
    for line in lines:
        outcome, _, rest = line.partition("\t")
        owner, _, method = rest.partition("\t")
        if outcome in _OUTCOMES and owner:
            yield Case(f"{owner}.{method}" if method else owner, _OUTCOMES[outcome])
