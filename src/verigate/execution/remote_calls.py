"""Describe a call for other machines, and take and note what is found by it there and here.

Only what depends on declared inputs is described, in a whole sandbox and without the project's programs. What needs
the network, or variables or paths that the repository's configuration opens, is described only where workers offer just
that: they use their own, whose values are in no description. The rest stays on this machine.
"""

from __future__ import annotations

import hashlib
import os
import platform
import secrets
import stat
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.domain.manifest import BASE
from verigate.domain.remote_call import INPUT_ROOT, InputFile, RemoteCall
from verigate.domain.worker_offer import OFFERS_VARIABLE, list_needs
from verigate.execution.adapter_paths import find_adapter_folder
from verigate.execution.declared_inputs import find_inputs
from verigate.execution.tool_closure import UnknownToolError, describe_tools, digest_system, forget_tools
from verigate.processes.environment import OF_A_NETWORK, list_named_variables
from verigate.user_folders import DEFAULTS

if TYPE_CHECKING:
    from verigate.domain.execution import CapabilityRun
    from verigate.domain.manifest import Manifest
    from verigate.domain.plan import PlannedCapability
    from verigate.domain.ports import RunContext
    from verigate.domain.remote_call import PendingCall, RemoteEvidence, RemoteResult
    from verigate.execution.phase_values import CallInputs, RunSetting

_OF_A_RUN = frozenset({"HOME", "TMPDIR", "PATH", "PWD", *DEFAULTS})
"""Variables that name folders of one run."""

_LEFT_OUT = frozenset({"__pycache__", ".git"})
_SUBJECT, _ADAPTER, _TASK, _PROFILE = INPUT_ROOT


class NotSharedError(ValueError):
    """Why a call stays on this machine."""


def open_remote_calls(
    plan: Iterable[PlannedCapability], setting: RunSetting, evidence: RemoteEvidence
) -> RemoteCalls | None:
    """Return the calls of a run that other machines may make; None if all stay here. Notes why the others do."""
    shares = False
    for planned in plan:
        if planned.problem is None and setting.bubblewrap is None:
            evidence.stays_local(planned.name, "there is no complete sandbox")
        elif planned.problem is None and not planned.declaration.inputs:
            evidence.stays_local(planned.name, "its manifest declares no inputs")
        else:
            shares = shares or planned.problem is None
    return RemoteCalls(setting, evidence) if shares else None


class RemoteCalls:
    """The calls of one run that other machines may have made, or may use."""

    def __init__(self, setting: RunSetting, evidence: RemoteEvidence) -> None:
        self._setting = setting
        self._evidence = evidence

    def describe(self, inputs: CallInputs) -> RemoteCall | None:
        """Describe a call; None if it stays on this machine."""
        name = inputs.planned.name
        try:
            return describe_call(self._setting, inputs, self._evidence)
        except (NotSharedError, UnknownToolError) as problem:
            self._evidence.stays_local(name, str(problem))
        except (OSError, ValueError) as problem:
            self._evidence.stays_local(name, f"it can't be described: {problem}")
        return None

    def take(self, call: RemoteCall, staging: Path) -> tuple[bytes, bytes] | None:
        """Write a result into a staging folder and return its output; None if there is no result that counts."""
        return _stage(self._evidence.take(call), staging)

    def submit(self, call: RemoteCall, inputs: CallInputs) -> PendingCall | None:
        """Have a worker make a call; None if it is to be made here."""
        if not self._evidence.executes:
            return None
        if BASE in inputs.planned.declaration.sees:
            self._evidence.stays_local(call.capability, "workers don't have the base, which it sees")
            return None
        places = _locate_inputs(self._setting, inputs)
        sources = {}
        for path, file in call.files.items():
            first, _, rest = path.partition("/")
            if file.target is None:
                sources[file.sha256] = f"{places[first]}/{rest}" if rest else places[first]
        return self._evidence.submit(call, sources, inputs.prepared.timeout_s)

    def receive(self, pending: PendingCall, staging: Path) -> tuple[bytes, bytes] | None:
        """Write what a worker found into a staging folder and return its output; None if the call is made here."""
        return _stage(self._evidence.receive(pending), staging)

    def note(
        self, call: RemoteCall, record: CapabilityRun, written: Mapping[str, bytes], streams: tuple[bytes, bytes]
    ) -> None:
        """Note what a call found here, unless it names folders of this machine."""
        workspace = self._setting.workspace
        own = [os.fsencode(path) for path in (workspace.path, workspace.subject.root) if len(path) > 1]
        if any(path in content for path in own for content in (*written.values(), *streams)):
            self._evidence.stays_local(call.capability, "what it wrote names folders of this machine")
            return
        self._evidence.note(call, record, written, *streams)


def _stage(found: RemoteResult | None, staging: Path) -> tuple[bytes, bytes] | None:
    if found is None:
        return None
    for path, content in found.files.items():
        target = staging / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return found.out, found.err


def describe_call(setting: RunSetting, inputs: CallInputs, evidence: RemoteEvidence) -> RemoteCall:
    """Describe a call without paths of this machine. Raises NotSharedError, UnknownToolError, OSError, ValueError."""
    planned, prepared, configured = inputs.planned, inputs.prepared, inputs.configured
    manifest = planned.provider
    if manifest is None or (reason := _find_reason(inputs)) is not None:
        raise NotSharedError("it has no adapter" if manifest is None else reason)
    needs = _list_needs(setting.context, manifest, inputs)
    if lacking := sorted(set(needs) - evidence.offers):
        offered = f", which no worker offers ({OFFERS_VARIABLE})" if evidence.executes else ""
        raise NotSharedError(f"it needs {', '.join(lacking)}{offered}")
    workspace = setting.workspace
    if find_inputs(planned, setting.context, workspace) is None:
        raise NotSharedError("it is shown the whole subject, by its configuration or outside of git")
    prepared.checkout.write()
    places = _locate_inputs(setting, inputs)
    adapter = places[_ADAPTER]
    sees_base = BASE in planned.declaration.sees
    names = {
        str(prepared.staging): f"/{_TASK}",
        configured.profile: f"/{_PROFILE}",
        configured.folder: "/call",
        prepared.checkout.path: f"/{_SUBJECT}",
        prepared.root: f"/{_SUBJECT}",
        adapter: f"/{_ADAPTER}",
        setting.host.python: "/python",
        setting.folder: "/run",
        workspace.policy_root.rstrip("/"): "/policy",
        workspace.path: "/run",
    }
    files = {
        **{f"{_SUBJECT}/{path}": file for path, file in list_files(places[_SUBJECT])},
        **{f"{_ADAPTER}/{path}": file for path, file in list_files(adapter)},
        **{f"{_TASK}/{path}": file for path, file in list_files(places[_TASK])},
        _PROFILE: _describe_file(places[_PROFILE]),
    }
    own = {*_OF_A_RUN, *(need.removeprefix("env:") for need in needs)}
    own.update(OF_A_NETWORK if prepared.report.network else ())
    tools = describe_tools(prepared.toolbox.found, setting.context.environ.get("PATH", os.defpath))
    return RemoteCall(
        planned.name,
        tuple(_rename(argument, names) for argument in inputs.argv),
        {name: _rename(value, names) for name, value in prepared.env.items() if name not in own},
        files,
        tuple(f"{_TASK}/{output.path}" for output in planned.declaration.outputs) or (_TASK,),
        {
            "OSFamily": platform.system().lower(),
            "ISA": platform.machine(),
            "verigate.capability": planned.name,
            "verigate.gate": f"{setting.host.version} {_digest_gate()}",
            "verigate.sandbox": f"{prepared.report.mechanism} {'ro' if prepared.report.read_only else 'rw'}",
            "verigate.system": digest_system(),
            "verigate.base": (workspace.subject.base or "") if sees_base else "",
            "verigate.missing": ",".join(prepared.toolbox.missing),
            # One property: a server may know properties by name.
            "verigate.tools": ",".join(f"{name}={digest}" for name, digest in tools.items()),
        },
        needs,
        secrets.token_hex(16) if needs else "",
    )


def _locate_inputs(setting: RunSetting, inputs: CallInputs) -> dict[str, str]:
    """Return where the parts of the input root are on this machine. Raises NotSharedError without an adapter."""
    manifest = inputs.planned.provider
    if manifest is None:
        raise NotSharedError("it has no adapter")
    return {
        _SUBJECT: inputs.prepared.checkout.path,
        _ADAPTER: find_adapter_folder(manifest, setting.workspace),
        _TASK: str(inputs.prepared.staging),
        _PROFILE: inputs.configured.profile,
    }


def _find_reason(inputs: CallInputs) -> str | None:
    """Return why a call stays on this machine, whatever workers offer; None if it needn't."""
    declaration, report = inputs.planned.declaration, inputs.prepared.report
    reasons = (
        (not declaration.inputs, "its manifest declares no inputs"),
        (declaration.flags.get("runs_project") is True, "it runs the project's programs"),
        (not report.is_whole or bool(set(report.missing) - report.absent), "the sandbox isn't whole"),
    )
    return next((reason for applies, reason in reasons if applies), None)


def _list_needs(context: RunContext, manifest: Manifest, inputs: CallInputs) -> tuple[str, ...]:
    """List what a call needs beyond its declared inputs. Raises NotSharedError for what only this machine has."""
    variables = list_named_variables(inputs.planned.declaration.flags, inputs.configured.config)
    try:
        return list_needs(context.grants.get(manifest.name, ()), variables, network=inputs.prepared.report.network)
    except ValueError as problem:
        raise NotSharedError(str(problem)) from problem


def list_files(root: str) -> Iterator[tuple[str, InputFile]]:
    """Yield the files and links below a folder. Raises ValueError for a name that isn't UTF-8, as the API needs."""
    for folder, folders, names in os.walk(root, onerror=_raise):
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT)
        links = [name for name in folders if Path(folder, name).is_symlink()]
        for name in sorted([*names, *links]):
            path = f"{folder}/{name}"
            relative = path[len(root) + 1 :]
            relative.encode("utf-8")
            yield relative, _describe_file(path)


def _describe_file(path: str) -> InputFile:
    status = os.lstat(path)
    if stat.S_ISLNK(status.st_mode):
        return InputFile("", 0, target=os.readlink(path))  # noqa: PTH115 - as text: there may be 100,000 files
    if not stat.S_ISREG(status.st_mode):
        raise NotSharedError(f"{Path(path).name} is no regular file")
    with open(path, "rb") as file:  # noqa: PTH123 - as text: there may be 100,000 files
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return InputFile(sha256, status.st_size, executable=bool(status.st_mode & stat.S_IXUSR))


def _rename(text: str, names: Mapping[str, str]) -> str:
    """Replace folders of this machine, the longest first."""
    for path in sorted(names, key=len, reverse=True):
        if len(path) > 1:
            text = text.replace(path, names[path])
    return text


def forget_digests() -> str:
    """Forget what was digested of tools and system, which may change meanwhile; return the gate's digest."""
    forget_tools()
    _digest_gate.cache_clear()
    return _digest_gate()


@cache
def _digest_gate() -> str:
    """Digest the gate's own files, and the names and versions of what is installed with it."""
    digest = hashlib.sha256()
    package = Path(__file__).parents[1]
    for path in sorted(package.rglob("*")):
        if path.suffix in {".py", ".json", ".toml"} and path.is_file():
            digest.update(f"{path.relative_to(package)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    for line in sorted(f"{each.name}=={each.version}" for each in metadata.distributions()):
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()


def _raise(error: OSError) -> None:
    raise error
