"""Calls of the gate that are killed (SIGKILL) at a chosen moment, in a real repository of a real pytest project.

A ``Lane`` is one repository. ``Lane.kill`` prepares a call, starts it with a Python of its own, kills it after a part
of the time that it takes, and looks at everything that must hold then, and after the next call.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gated_repository as gr
from sample_repository import SampleRepository
from ssh_keys import make_key, signers

from verigate.processes.control_groups import find_parents

MARKER = "GOFLAGS"
"""One of the few variables that adapters inherit: by it all processes of a call are known."""

PATIENCE_S = 15.0
"""So long processes may take to go after the gate was killed: a busy machine takes seconds for what takes 20 ms."""

ENTRY = {"order": ["code:diff", "code:tests"], "required": ["code:diff", "code:tests"], "optional": []}
PROFILES = "config/verification.profiles.json"
FILES: dict[str, Any] = {
    ".gitignore": ".artifacts/\n__pycache__/\n",
    "config/adapter-plan.json": {"code": ENTRY},
    PROFILES: {"code_default": {"tests_pass": True, "tests_min": 1}},
    "config/approvals.json": {"repository": "example.com/shop", "keys": "any"},
    "shop/__init__.py": "",
    "shop/price.py": "def total(prices):\n    return sum(prices)\n",
    "tests/test_price.py": "from shop.price import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
}
CODE = "shop/price.py"


@dataclass(frozen=True)
class Killed:
    """How one call ended. ``state`` is what it left, in two words; ``ended``: it came to its end before it was killed.

    ``problems`` is empty if all is as it must be."""

    command: str
    fraction: float
    state: str
    ended: bool
    outlived_s: float
    problems: tuple[str, ...]


_VERDICT = ("verdict.json", "run.json", "artifacts.json")


@dataclass
class Lane:
    """One repository, with a task T1 that is current, a key that may approve, and the gate's hooks."""

    repository: gr.GatedRepository
    number: int = 0
    serial: int = 0
    judged: dict[str, str] = field(default_factory=dict)
    """Status by tree: what each tree that was ever verified must be judged to be."""
    durations: dict[str, float] = field(default_factory=dict)
    passed: bool = False
    """Whether the published verdict is a pass of the working tree as it is."""

    @classmethod
    def create(cls, folder: Path, number: int = 0) -> Lane:
        repository = gr.GatedRepository(SampleRepository.create(folder / "repository"), folder / "home")
        repository.tmp.mkdir(parents=True)
        key = make_key(folder / "keys")
        for name, content in {**FILES, "config/allowed-signers": signers(key)}.items():
            repository.put(name, content)
        repository.sample.commit("the base")
        repository.sample.git("config", "user.name", "A")
        repository.sample.git("config", "user.email", "a@example.org")
        lane = cls(repository, number)
        lane.must("install")
        lane.must("start", "T1")
        lane.must("claim", "T1", f"file:{CODE}")
        lane.change(honest=True)
        assert lane.verify(honest=True) == []
        return lane

    # --- what the commands need ---------------------------------------------------------------------------------

    @property
    def root(self) -> Path:
        return self.repository.root

    @property
    def key(self) -> str:
        return str(self.root.parent / "keys" / "id")

    def environ(self, marker: str = "") -> dict[str, str]:
        found = self.repository.environ(**({MARKER: marker} if marker else {}))
        return {**found, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}

    def gate(self, *arguments: str) -> gr.Done:
        return self.repository.gate(*arguments)

    def must(self, *arguments: str) -> gr.Done:
        done = self.gate(*arguments)
        assert done.code == 0, done.output
        return done

    def change(self, *, honest: bool) -> None:
        """Write code that no run has seen, and that its test accepts or doesn't."""
        self.serial += 1
        self.passed = False
        value = "sum(prices)" if honest else "sum(prices) + 1"
        self.repository.put(CODE, f"def total(prices):\n    return {value}  # {self.number}.{self.serial}\n")

    def verify(self, *, honest: bool) -> list[str]:
        """Verify T1 to the end; return what is wrong with the verdict."""
        done = self.repository.verify()
        status = "pass" if honest else "fail"
        if done.code != (0 if honest else 1) or not self.repository.has_verdict():
            return [f"the next verify isn't {status}: {done.output}"]
        verdict = self.repository.verdict()
        self.judged[verdict["subject"]["tree"]] = status
        found = [] if verdict["status"] == status else [f"the next verdict is {verdict['status']}, not {status}"]
        shown = self.gate("show", "T1")
        if "no chain" in done.output or shown.code != 0 or "chain" in shown.err:
            found.append(f"the next verdict isn't in the chain: {done.output}{shown.output}")
        self.passed = honest and not found
        return found

    def record(self) -> str:
        """Remember the published verdict as the right one for its tree; return its status."""
        verdict = self.repository.verdict()
        self.judged[verdict["subject"]["tree"]] = verdict["status"]
        return str(verdict["status"])

    # --- one kill -----------------------------------------------------------------------------------------------

    def kill(self, command: str, fraction: float | None = None, *, step: tuple[str, int] | None = None) -> Killed:
        """Kill one call of ``command`` after ``fraction`` of the time that such calls take, or at its ``step``.

        A step is a call of the kernel, by name and number from 1; strace kills the gate as it enters it. With neither
        the call runs to its end, and its time is remembered.
        """
        if fraction is not None and command not in self.durations:
            self.kill(command)
        case = COMMANDS[command](self)
        next(case)  # prepares
        before = self.unchanging()
        marker = f"verigate-killed-{os.getpid()}-{self.number}-{self.serial}-{time.monotonic_ns()}"
        argv, whole = CALLS[command](self)
        if step is not None:
            name, number = step
            inject = f"inject={name}:signal=SIGKILL:when={number}"
            # Of the calls that remove files those that remove a verdict: caches and checkouts have others.
            paths = [word for file in _VERDICT for word in ("-P", f"{self.root}/.artifacts/T1/{file}")]
            paths = paths if name == "unlink" else []
            argv = ("strace", "-qq", "-o", os.devnull, *paths, "-e", f"trace={name}", "-e", inject, *argv)
        begun = time.monotonic()
        process = subprocess.Popen(
            argv, cwd=self.root, env=self.environ(marker), start_new_session=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        pids = []
        if fraction is not None:
            time.sleep(self.durations[command] * fraction)
            pids = self.strike(process, marker, whole=whole)
        code = process.wait(120)
        struck = time.monotonic()
        left = gr.wait_until_gone(marker, PATIENCE_S)
        outlived = time.monotonic() - struck
        if fraction is None or code == 0:
            known = self.durations.get(command, struck - begun)
            self.durations[command] = 0.7 * known + 0.3 * (struck - begun)
        problems = [f"processes live on: {left}"] if left else []
        state, found = case.send(code)
        problems += found
        problems += self.look_at_git(before)
        problems += next(case)  # the next call
        problems += self.look_at_leftovers(pids)
        case.close()
        ended = code in {0, 1}
        return Killed(command, -1 if fraction is None else fraction, state, ended, outlived, tuple(problems))

    def strike(self, process: subprocess.Popen[bytes], marker: str, *, whole: bool) -> list[int]:
        """Kill the gate: the process itself, or below git the one that git's hook has started, or all of git."""
        if process.args[0] != "git":  # type: ignore[index] # always a list here
            process.kill()
            return [process.pid]
        gates = [pid for pid in gr.processes_with(marker) if b"git-hook" in _read(f"/proc/{pid}/cmdline")]
        if whole:
            os.killpg(process.pid, signal.SIGKILL)
        for pid in gates:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        return gates

    # --- what must hold -----------------------------------------------------------------------------------------

    def unchanging(self) -> dict[str, object]:
        """What no call of the gate may change: HEAD, branches, the index and the working tree."""
        git = self.repository.sample.git
        return {
            "refs": [line for line in git("show-ref", "--head").splitlines() if "refs/verigate/" not in line],
            "index": git("ls-files", "--stage"),
            "status": git("status", "--porcelain"),
            "tree": {
                str(path.relative_to(self.root)): (path.lstat().st_mode, path.read_bytes())
                for path in sorted(self.root.rglob("*"))
                if path.is_file() and path.relative_to(self.root).parts[0] not in {".git", ".artifacts"}
            },
        }

    def look_at_git(self, before: Mapping[str, object]) -> list[str]:
        """Return what is wrong with the repository."""
        found = []
        fsck = subprocess.run(
            ["git", "fsck", "--full", "--strict", "--no-dangling"], cwd=self.root, capture_output=True, text=True,
            check=False, env=self.environ(),
        )  # fmt: skip
        if fsck.returncode != 0 or "error" in fsck.stderr:
            found.append(f"git fsck: {fsck.stdout}{fsck.stderr}")
        after = self.unchanging()
        found += [f"{name} changed: {before[name]} -> {after[name]}" for name in before if after[name] != before[name]]
        return found

    def look_at_leftovers(self, pids: list[int]) -> list[str]:
        """Return what a killed call has left although another one has run since."""
        found = [f"left in TMPDIR: {path.name}" for path in self.repository.tmp.iterdir() if not _is_just_begun(path)]
        places = (self.repository.home, self.root / ".artifacts", self.root / ".git")
        found += [
            f"left: {path}"
            for place in places
            for path in place.rglob("*")
            if path.suffix in {".part", ".lock"} or (path.is_file() and _is_draft(path))
        ]
        for parent in {parent.folder for parent in find_parents().values()}:
            for pid in pids:
                found += [f"a control group is left: {group}" for group in Path(parent).glob(f"verigate-{pid}-*")]
        mounts = _read("/proc/self/mountinfo").decode()
        if str(self.root.parent) in mounts:
            found.append("a mount is left")
        return found

    def shown(self) -> tuple[str, list[str]]:
        """What ``gate show T1`` says: "old", "new" or "not verified", and what is wrong with it.

        A verdict must be about a tree that is known to be so, or about the present one.
        """
        shown = self.gate("show", "T1", "--json")
        if shown.code == 3:
            refused = shown.json["code"] == "EVIDENCE" and "not verified" in shown.json["faults"][0]["message"]
            return "not verified", [] if refused else [f"show: {shown.output}"]
        if shown.code != 0:
            return "no answer", [f"show: {shown.output}"]
        verdict = shown.json
        tree, status = verdict["subject"]["tree"], verdict["status"]
        if tree in self.judged:
            return "old verdict", [] if self.judged[tree] == status else [
                f"{tree} is {status}, not {self.judged[tree]}"
            ]
        self.judged[tree] = status  # looked at by the next verify, whose tree it is
        return "new verdict", []


Case = Generator[Any, int, None]
"""Prepares; gets the exit code of the killed call, gives its state and problems; then the problems of the next call."""


def _verify(lane: Lane) -> Case:
    lane.change(honest=lane.serial % 2 == 0)
    honest = lane.serial % 2 == 1
    code = yield
    known = dict(lane.judged)
    state, problems = lane.shown()
    if state == "new verdict":
        (tree,) = lane.judged.keys() - known.keys()
        if lane.judged[tree] != ("pass" if honest else "fail"):
            problems.append(f"a false verdict: {lane.judged[tree]}")
        if lane.gate("replay", "T1").code not in {0, 1}:
            problems.append("the new verdict can't be replayed")
    elif code in {0, 1}:
        problems.append(f"verify ended with {code}, and there is no new verdict but {state}")
    yield state, problems
    yield lane.verify(honest=honest)


def _start(lane: Lane) -> Case:
    lane.serial += 1
    name, place = _task(lane), lane.root / ".artifacts" / _task(lane)
    yield_code = yield
    problems = []
    state, whole = "nothing", yield_code == 0
    if (place / "commitment.json").exists():
        state = "a commitment"
        if json.loads((place / "commitment.json").read_bytes())["task_id"] != name:
            problems.append("a commitment of another task")
        current = (lane.root / ".artifacts/current").read_text().strip()
        if yield_code == 0 and current != name:
            problems.append(f"started, and {current} is current")
        # What makes it the current task is written last: killed after that, it had begun.
        whole = whole or current == name
    yield state, problems
    again = lane.gate(*CALLS["start"](lane)[0][len(gr.GATE) :])
    problems = []
    if again.code != (2 if whole else 0):
        problems.append(f"the next start: {again.output}")
    lane.must("claim", name, f"file:{CODE}")
    done = lane.repository.verify(name)
    honest = "+ 1" not in (lane.root / CODE).read_text()
    if done.code != (0 if honest else 1):
        problems.append(f"the started task: {done.output}")
    sealed = lane.repository.sample.git("for-each-ref", "--format=%(refname)", "refs/verigate/commitments").split()
    if not any(ref.endswith(f"/{name}") for ref in sealed):
        problems.append("what start fixed isn't sealed")
    (lane.root / ".artifacts/current").write_text("T1\n")
    lane.must("end", name, "--remove")
    yield problems


def _task(lane: Lane) -> str:
    return f"K{lane.serial}"


def _claim(lane: Lane) -> Case:
    lane.serial += 1
    place = lane.root / ".artifacts/T1/claim.json"
    old = json.loads(place.read_bytes())["claim"]["units_list"]
    new = _units(lane)
    code = yield
    units = json.loads(place.read_bytes())["claim"]["units_list"]
    problems = [] if units in (old, new) and (code != 0 or units == new) else [f"the claim is {units}"]
    yield "old claim" if units == old else "new claim", problems
    lane.must("claim", "T1", *new)
    done = lane.repository.verify()
    told = "file:never.py" in new
    expected = 1 if told or "+ 1" in (lane.root / CODE).read_text() else 0
    problems = [] if done.code == expected else [f"the next verify: {done.output}"]
    lane.record()
    lane.passed = False
    lane.must("claim", "T1", f"file:{CODE}")
    yield problems


def _units(lane: Lane) -> list[str]:
    return [f"file:{CODE}", *(["file:never.py"] if lane.serial % 2 else [])]


def _commit(lane: Lane) -> Case:
    lane.change(honest=lane.serial % 2 == 0)
    honest = lane.serial % 2 == 1
    git = lane.repository.sample.git
    git("add", CODE)
    base = git("rev-parse", "HEAD")
    code = yield
    problems: list[str] = []
    lock = lane.root / ".git/index.lock"
    state = "no commit"
    if lock.exists():  # git's own, of a git that was killed with its hook: git says to remove it
        lock.unlink()
        state = "no commit, git's own lock"
    if git("rev-parse", "HEAD") != base:
        state = "a commit"
        shown, problems = lane.shown()
        if not honest:
            problems.append("a commit of what fails")
        if shown == "not verified":
            problems.append("a commit without a verdict")
    elif code == 0:
        problems.append("git says that it committed, and has not")
    git("reset", "-q", "--soft", base)
    yield state, problems
    done = subprocess.run(
        ["git", "commit", "-q", "-m", "the work"], cwd=lane.root, env=lane.environ(), capture_output=True, check=False
    )
    problems = [] if (done.returncode == 0) is honest else [f"the next commit: {done.stderr.decode()}"]
    status = lane.record()
    if status != ("pass" if honest else "fail"):
        problems.append(f"the next commit's verdict is {status}")
    git("reset", "-q", "--soft", base)
    git("reset", "-q")
    yield problems


def _approve(lane: Lane) -> Case:
    lane.change(honest=True)
    lane.repository.put(PROFILES, {"code_default": {"tests_pass": True, "tests_min": 1, "skipped_max": lane.serial}})
    refused = lane.repository.verify()
    assert refused.code == 1, refused.output
    folder = lane.root / ".artifacts/.approvals"
    code = yield
    listed = lane.gate("approve", "--list", "--json")
    problems = [] if listed.code == 0 else [f"approve --list: {listed.output}"]
    files = [path for path in folder.glob("*.json") if not path.name.startswith(".")] if folder.is_dir() else []
    for path in files:
        json.loads(path.read_bytes())
    if code == 0 and not files:
        problems.append("approved, and there is no approval")
    yield "an approval" if files else "nothing", problems
    again = lane.gate(*CALLS["approve"](lane)[0][len(gr.GATE) :])
    problems = [] if again.code == 0 else [f"the next approve: {again.output}"]
    done = lane.repository.verify()
    if done.code != 0:
        problems.append(f"approved, and not passed: {done.output}")
    lane.record()
    for path in folder.glob("*.json"):
        path.unlink()
    lane.repository.put(PROFILES, FILES[PROFILES])
    yield problems


def _attest(lane: Lane) -> Case:
    problems = []
    if not lane.passed:
        lane.change(honest=True)
        problems = lane.verify(honest=True)
    place = lane.root / ".artifacts/T1/verdict.intoto.jsonl"
    code = yield
    state = "an attestation" if place.exists() else "nothing"
    if place.exists():
        try:
            problems += [] if all(json.loads(line) for line in place.read_bytes().splitlines()) else ["it is empty"]
        except ValueError as problem:
            problems.append(f"half an attestation: {problem}")
    elif code == 0:
        problems.append("attested, and there is none")
    yield state, problems
    again = lane.gate("attest", "T1", "--key", lane.key)
    problems = [] if again.code == 0 else [f"the next attest: {again.output}"]
    checked = lane.gate("attest", "verify", str(place), "--key", f"{lane.key}.pub")
    if checked.code != 0:
        problems.append(f"attest verify: {checked.output}")
    yield problems


def _end(lane: Lane) -> Case:
    lane.serial += 1
    name = _task(lane)
    lane.must("start", name)
    lane.must("claim", name, f"file:{CODE}")
    verified = lane.repository.verify(name)
    assert verified.code in {0, 1}, verified.output
    yield
    place = lane.root / ".artifacts" / name
    state = "whole" if (place / "verdict.json").exists() else "a part" if place.exists() else "gone"
    shown = lane.gate("show", name, "--json") if place.exists() else None
    problems = []
    if shown is not None and shown.code == 0 and shown.json["status"] != ("pass" if verified.code == 0 else "fail"):
        problems.append(f"a part reads as another verdict: {shown.output}")
    yield state, problems
    again = lane.gate("end", name, "--remove")
    problems = [] if again.code == (0 if state != "gone" else again.code) else [f"the next end: {again.output}"]
    started = lane.gate("start", name)
    if started.code != 0:
        problems.append(f"it can't be started again: {started.output}")
    lane.must("end", name, "--remove")
    (lane.root / ".artifacts/current").write_text("T1\n")
    if any(row["task_id"] == name for row in lane.gate("list", "--json").json["tasks"]):
        problems.append(f"it is still listed: {lane.gate('list').output}")
    yield problems


def _install(lane: Lane) -> Case:
    lane.serial += 1
    lane.must("uninstall")
    hooks = lane.root / ".git/hooks"
    yield
    there = [path for path in hooks.iterdir() if path.suffix != ".sample" and path.is_file()]
    problems = [
        f"half a hook: {path.name}"
        for path in there
        if not path.name.startswith(".") and (not os.access(path, os.X_OK) or b"run_gate" not in path.read_bytes())
    ]
    yield f"{len(there)} hooks", problems
    lane.must("install")
    yield [f"left: {path.name}" for path in hooks.iterdir() if path.name.startswith(".")]


def _gate(*arguments: str) -> tuple[tuple[str, ...], bool]:
    return (*gr.GATE, *arguments), False


COMMANDS: Mapping[str, Callable[[Lane], Case]] = {
    "verify": _verify,
    "commit": _commit,
    "start": _start,
    "claim": _claim,
    "approve": _approve,
    "attest": _attest,
    "end": _end,
    "install": _install,
}
CALLS: Mapping[str, Callable[[Lane], tuple[tuple[str, ...], bool]]] = {
    "verify": lambda _: _gate("verify", "T1", "--quiet"),
    "commit": lambda lane: (("git", "commit", "-q", "-m", "the work"), lane.serial % 4 >= 2),
    "start": lambda lane: _gate("start", _task(lane), "--file", CODE),
    "claim": lambda lane: _gate("claim", "T1", *_units(lane)),
    "approve": lambda lane: _gate("approve", "T1", "--reason", "seen", "--key", lane.key, "--yes"),
    "attest": lambda lane: _gate("attest", "T1", "--key", lane.key),
    "end": lambda lane: _gate("end", _task(lane), "--remove"),
    "install": lambda _: _gate("install"),
}
"""The call, and whether git is to be killed with the gate that it has started."""


def _is_just_begun(path: Path) -> bool:
    """Whether this is a folder of a run that was killed before its lock: it goes when it is ten minutes old."""
    return path.is_dir() and not {entry.name for entry in path.iterdir()} - {"lock.new"}


def _is_draft(path: Path) -> bool:
    """Whether this is a file that was to become another one."""
    name = path.name
    return name.startswith(".") and (name.endswith((".part", ".write")) or "cache.key." in name or ".verigate-" in name)


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""
