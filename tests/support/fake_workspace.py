"""A workspace and a staging over plain folders, for tests of the runner that need no git and no schemas."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.execution import CapabilityRun, Failure
from verigate.domain.manifest import Capability, Manifest, Origin, SandboxPolicy
from verigate.domain.plan import Plan, PlanEntry, PlannedCapability
from verigate.domain.ports import Collected, Mount, RunContext
from verigate.domain.subject import Subject, SubjectKind
from verigate.formats.path_patterns import match_paths

INPUTS = {"commitment.json": b'{"task_id":"T_test","type":"code"}', "claim.json": b'{"task_id":"T_test"}'}


@dataclass
class FolderCheckout:
    """A copy of the repository's folder."""

    path: str
    origin: str
    broken: bool = False
    is_written: bool = True

    @property
    def mounts(self) -> Sequence[Mount]:
        return (Mount(self.path, self.origin, read_only=False),)

    def write(self) -> None:
        """It is written already."""

    def write_git_without_base(self, folder: str) -> bool:  # noqa: ARG002 - as the protocol has it
        return False

    def took_base(self) -> bool:
        return True

    def restore(self) -> tuple[str, ...]:
        if self.broken:
            raise OSError("the checkout is broken")
        changed = sorted(set(_digests(self.path).items()) ^ set(_digests(self.origin).items()))
        for target in list(Path(self.path).iterdir()):
            shutil.rmtree(target) if target.is_dir() and not target.is_symlink() else target.unlink()
        shutil.copytree(self.origin, self.path, symlinks=True, dirs_exist_ok=True)
        return tuple(sorted({path for path, _ in changed}))


def _digests(root: str) -> dict[str, str]:
    files = (path for path in Path(root).rglob("*") if path.is_file() and not path.is_symlink())
    return {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@dataclass
class FolderWorkspace:
    """A workspace below ``path`` for the repository folder ``repository``."""

    path: str
    repository: str
    project_envs: tuple[str, ...] = ()
    tool_folders: tuple[str, ...] = ()
    editable_leaks: tuple[str, ...] = ()
    is_large: bool = True
    is_huge: bool = False
    break_restore: bool = False
    checkouts: dict[int, FolderCheckout] = field(default_factory=dict)

    @property
    def subject(self) -> Subject:
        return Subject(SubjectKind.WORKTREE, self.repository, "b" * 40, "t" * 40)

    @property
    def policy_root(self) -> str:
        return f"{self.path}/policy"

    def is_verified(self, path: str) -> bool:
        return (Path(self.repository) / path).exists()

    def checkout(self, number: int) -> FolderCheckout:
        if number not in self.checkouts:
            target = f"{self.path}/checkout-{number}"
            shutil.copytree(self.repository, target, symlinks=True)
            self.checkouts[number] = FolderCheckout(target, self.repository, broken=self.break_restore)
        return self.checkouts[number]

    def declared_checkout(self, number: int, patterns: tuple[str, ...], *, based: bool) -> FolderCheckout:  # noqa: ARG002 - as the protocol has it
        matches = match_paths(patterns)
        target = Path(self.path, f"declared-{number}-{len(list(Path(self.path).glob('declared-*')))}")
        target.mkdir()
        for path in sorted(Path(self.repository).rglob("*")):
            relative = path.relative_to(self.repository)
            if path.is_file() and matches(os.fsencode(relative)):
                (target / relative).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target / relative)
        return FolderCheckout(str(target), self.repository)

    def on_demand_checkout(self) -> FolderCheckout | None:
        return None

    def digest_declared(self, patterns: tuple[str, ...]) -> str | None:
        matches = match_paths(patterns)
        found = {path: digest for path, digest in _digests(self.repository).items() if matches(os.fsencode(path))}
        return hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()


class FolderStaging:
    """Accepts every regular file that isn't an input or a copy; a changed one is ARTIFACT_CONFLICT."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, dict[str, bytes]] = {}
        self.accepted: dict[str, bytes] = {}
        self.collected: list[str] = []
        self.logs: dict[str, bytes] = {}

    def keep_log(self, planned: PlannedCapability, out: bytes, err: bytes) -> None:
        self.logs |= {f"{planned.name}.out": out, f"{planned.name}.err": err}

    def input_fault(self, planned: PlannedCapability, spec_id: str, name: str, content: bytes) -> str | None:
        return f"{name} is refused for {planned.name} as {spec_id}" if content == b"refused" else None

    def open(self, planned: PlannedCapability, visible: Sequence[Artifact]) -> Path:
        folder = self._root / planned.declaration.slug / "T_test"
        folder.mkdir(parents=True)
        for name, content in INPUTS.items():
            (folder / name).write_bytes(content)
        self._known[planned.name] = dict(INPUTS)
        self.show(planned, folder, visible)
        return folder

    def show(self, planned: PlannedCapability, folder: Path, visible: Sequence[Artifact]) -> None:
        for artifact in visible:
            (folder / artifact.path).write_bytes(self.accepted[artifact.path])
            self._known[planned.name][artifact.path] = self.accepted[artifact.path]

    def collect(self, planned: PlannedCapability, folder: Path) -> Collected:
        self.collected.append(planned.name)
        known = self._known[planned.name]
        written = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        if any(written.get(name) != content for name, content in known.items()):
            return Collected((), Failure("ARTIFACT_CONFLICT", "it changed what isn't its own"))
        own = {name: content for name, content in sorted(written.items()) if name not in known}
        if not own:
            return Collected((), Failure("ARTIFACT_MISSING", "it wrote nothing"))
        self.accepted |= own
        return Collected(tuple(_artifact(name, planned.name, content) for name, content in own.items()))


def _artifact(name: str, producer: str, content: bytes) -> Artifact:
    digest = hashlib.sha256(content).hexdigest()
    return Artifact(name, producer, len(content), digest, digest)


@dataclass
class Recorder:
    """A listener that remembers."""

    events: list[str] = field(default_factory=list)

    watches = False

    def started(self, capability: str, _progress: str | None = None, /) -> None:
        self.events.append(f"> {capability}")

    def finished(self, run: CapabilityRun) -> None:
        self.events.append(f"< {run.capability}")


@dataclass
class Bench:
    """A repository, a workspace, a staging and adapters in a temporary folder."""

    root: Path
    workspace: FolderWorkspace = field(init=False)
    staging: FolderStaging = field(init=False)
    listener: Recorder = field(default_factory=Recorder)

    def __post_init__(self) -> None:
        repository = self.root / "repository"
        repository.mkdir(parents=True, exist_ok=True)
        (repository / "code.py").write_text("answer = 42\n")
        self.renew()

    def renew(self) -> None:
        """Another run on the same repository."""
        number = len(list(self.root.glob("workspace-*")))
        path = self.root / f"workspace-{number}"
        (path / "policy").mkdir(parents=True)
        self.workspace = FolderWorkspace(str(path), str(self.root / "repository"))
        self.staging = FolderStaging(path / "staging")
        self.listener = Recorder()

    def manifest(
        self, script: str | Path, *capabilities: Capability | str, policy: SandboxPolicy | None = None, **fields: Any
    ) -> Manifest:
        """An adapter: ``script`` is an sh text, or the path of an executable."""
        name = fields.pop("name", f"adapter{len(list(self.root.glob('adapters/*')))}")
        folder = self.root / "adapters" / name
        folder.mkdir(parents=True)
        if isinstance(script, Path):
            shutil.copy(script, folder / "entry")
        else:
            (folder / "entry").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "entry").chmod(0o755)
        declared = tuple(c if isinstance(c, Capability) else Capability(c) for c in capabilities)
        given: dict[str, Any] = {
            "origin": Origin.PATH,
            "capabilities": declared,
            "sandbox": policy or SandboxPolicy(),
            **fields,
        }
        return Manifest(name, "1.0.0", "entry", str(folder), digest=f"digest-{name}", **given)

    def context(self, sandbox: str = "prefer", **fields: Any) -> RunContext:
        environ: Mapping[str, str] = fields.pop(
            "environ", {"PATH": os.environ["PATH"], "HOME": str(self.root / "user")}
        )
        profile = {"active": "code_default", "code_default": {"lint_clean": True}}
        return RunContext(
            "T_test", "code_default", profile, fields.pop("adapter_config", {}), environ, sandbox, **fields
        )

    def artifact(self, name: str) -> str:
        return self.staging.accepted[name].decode()

    def artifact_json(self, name: str) -> Any:
        return json.loads(self.staging.accepted[name])

    def log(self, capability: str, stream: str = "err") -> bytes:
        return self.staging.logs[f"{capability}.{stream}"]


def plan(*entries: tuple[Manifest, str] | PlannedCapability) -> Plan:
    """A plan in which every capability needs what it declares, or all earlier ones."""
    planned: list[PlannedCapability] = []
    for entry in entries:
        if isinstance(entry, PlannedCapability):
            planned.append(entry)
            continue
        manifest, name = entry
        declared = manifest.capability(name).needs
        needs = declared if declared is not None else tuple(each.name for each in planned)
        needs += tuple(read for read in manifest.capability(name).reads if read in {each.name for each in planned})
        planned.append(PlannedCapability(name, True, ("test",), manifest, needs))
    names = tuple(each.name for each in planned)
    return Plan("code", PlanEntry(names, frozenset(names), frozenset()), tuple(planned))
