"""The one place where the parts that do I/O are constructed and handed to the pipeline."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from verigate import __version__
from verigate.config.builtin import PROFILES_FILE, builtin_root
from verigate.config.documents import read_fixture_document, read_manifest_document, read_tool_document
from verigate.discovery.registry import discover
from verigate.discovery.search_path import Shelf, shelves
from verigate.discovery.tools import Tools
from verigate.domain.adapter_package import PACKAGES_FILE
from verigate.domain.execution import CapabilityRun
from verigate.domain.manifest import Registry
from verigate.domain.ports import Listener
from verigate.errors import ConfigError, EvidenceError, UsageError

if TYPE_CHECKING:
    from verigate.config.profiles import Profiles
    from verigate.domain.conformance import Conformance
    from verigate.domain.engine import EnvironmentTest
    from verigate.domain.verdict import Check
    from verigate.evidence.store import Published
    from verigate.execution.ahead import Ahead
    from verigate.integrations.doctor import Finding
    from verigate.pipeline import Services
    from verigate.reporting.explain import Excerpt
    from verigate.reporting.listings import TaskRow
    from verigate.verifier.attended import Watch


class Silent:
    """A listener that shows nothing."""

    def started(self, capability: str) -> None:
        """Nothing to do."""

    def finished(self, run: CapabilityRun) -> None:
        """Nothing to do."""


_NEEDED_LATER = (
    "verigate.execution.environment",
    "verigate.execution.tools",
    "verigate.execution.process",
    "verigate.execution.runner",
    "verigate.gate.enforce",
    "verigate.evidence.run_record",
    "verigate.reporting.text",
    "verigate.reporting.notices",
)


def load_what_comes() -> Iterator[None]:
    """Load what running, deciding and reporting need, a module at a step, while the gate waits for git and adapters."""
    import importlib

    for name in _NEEDED_LATER:
        importlib.import_module(name)
        yield


def _run(*arguments: Any, **options: Any) -> tuple[CapabilityRun, ...]:
    from verigate.execution.runner import run

    return run(*arguments, **options)


def _ask(*arguments: Any, **options: Any) -> Mapping[str, bytes]:
    from verigate.engaging import ask_engine

    return ask_engine(*arguments, now=_now, **options)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def today() -> str:
    """The date in UTC, ISO 8601: the day on which a baseline's entries are judged."""
    return datetime.now(UTC).date().isoformat()


def services(
    root: Path,
    *,
    listener: Listener | None = None,
    ahead: Ahead | None = None,
    watch: Watch | None = None,
) -> Services:
    """Everything the pipeline needs, for the repository at ``root``; ``ahead`` is what was begun for it before.

    ``watch`` hears the run log of a verifier's engine.
    """
    from verigate.config.adapters_config import resolve_adapters_config
    from verigate.config.configuration import load_configuration
    from verigate.config.validation import check_media
    from verigate.evidence.attestation import signer
    from verigate.execution.workspace import open_workspace
    from verigate.pipeline import Services

    # Everything is loaded by now and stays; from here on garbage is made.
    gc.freeze()
    gc.enable()
    builtin = builtin_root()
    environ = dict(os.environ)
    upcoming = load_what_comes()
    return Services(
        root=root,
        version=__version__,
        environ=environ,
        host=os.uname().nodename,
        jobs=os.cpu_count() or 1,
        now=_now,
        monotonic=time.monotonic,
        open_workspace=partial(
            ahead.workspace if ahead else partial(open_workspace, environ=environ, gate_prefix=sys.prefix),
            meanwhile=upcoming,
        ),
        read_configuration=lambda policy_root: load_configuration(policy_root, builtin, today),
        read_base_profiles=lambda content: base_profiles(content, builtin),
        discover=partial(find_adapters, builtin=str(builtin), environ=environ),
        entry_problem=entry_problem,
        adapter_config=lambda configuration, registry: resolve_adapters_config(
            configuration.adapters, registry.manifests
        ),
        check_artifact=check_media,
        run=partial(_run, probed=ahead.bubblewrap if ahead else None, meanwhile=upcoming),
        ask=partial(_ask, root=root, environ=environ, listener=listener or Silent(), watch=watch),
        attest=signer(environ),
        listener=listener or Silent(),
    )


def find_adapters(policy_root: str, stands: str | None = None, *, builtin: str, environ: Mapping[str, str]) -> Registry:
    """Who provides what, for the repository whose judges' files lie at ``policy_root``.

    ``stands`` is its own path where that is a copy. Without one nothing will run, and adapters that the repository
    could pin are told of. Raises ConfigError.
    """
    pins: Mapping[str, str] = {}
    packages: tuple[Shelf, ...] = ()
    offered: tuple[str, ...] = ()
    if os.path.lexists(f"{policy_root}/{PACKAGES_FILE}"):
        from verigate.config.packages import pinned_packages
        from verigate.discovery.npm import pinned_shelves

        pins = pinned_packages(Path(policy_root))
        packages = pinned_shelves(pins, policy_root, stands)
    if stands is None and Path(policy_root, "package.json").is_file():
        from verigate.discovery.npm import unpinned

        offered = tuple(unpinned(policy_root, pins))
    registry = discover(
        shelves(policy_root, builtin, environ, stands, packages),
        read_manifest_document,
        Tools(builtin, read_tool_document),
    )
    return replace(registry, warnings=(*registry.warnings, *offered)) if offered else registry


def base_profiles(content: bytes, builtin: Path) -> Profiles | None:
    """The profiles that a base's file makes together with the shipped ones; None where it can't be used."""
    import tempfile

    from verigate.config.profiles import load_profiles

    with tempfile.TemporaryDirectory(prefix="verigate-base-") as folder:
        path = Path(folder) / PROFILES_FILE
        path.parent.mkdir()
        path.write_bytes(content)
        try:
            return load_profiles(Path(folder), builtin)
        except ConfigError:
            return None


def entry_problem(path: str) -> str | None:
    """What keeps an adapter's entry from being started, None if nothing does."""
    if not os.path.lexists(path):
        return "its entry does not exist"
    if not Path(path).is_file():
        return "its entry is not a file"
    if not os.access(path, os.X_OK):
        return "its entry is not executable; chmod +x it"
    return None


def entry_warnings(registry: Registry) -> list[str]:
    """A sentence for every adapter that could not be started."""
    found = ((manifest, entry_problem(manifest.entry_path)) for manifest in registry.manifests)
    return [f"adapter {manifest.name}: {problem}: {manifest.entry_path}" for manifest, problem in found if problem]


def check_adapter(
    path: Path,
    capabilities: Sequence[str] = (),
    fixtures: Sequence[str] = (),
    *,
    checks: Sequence[str] = (),
    listener: Listener | None = None,
) -> Conformance:
    """What the conformance kit says about the one adapter at ``path``, as by ``check_adapters``."""
    [report] = check_adapters(path, capabilities, fixtures, checks=checks, listener=listener)
    return report


def check_adapters(
    path: Path,
    capabilities: Sequence[str] = (),
    fixtures: Sequence[str] = (),
    *,
    checks: Sequence[str] = (),
    without: Sequence[str] = (),
    listener: Listener | None = None,
) -> tuple[Conformance, ...]:
    """What the conformance kit says about the adapters at ``path``: a folder, a manifest, the .toml file of a tool.

    Empty choices mean all; of several adapters ``capabilities`` leaves those that declare one of them. ``without`` are
    programs that needn't be there. Raises UsageError for a choice that isn't there, GateError where the kit can't work
    at all.
    """
    from verigate.config.profiles import load_profiles
    from verigate.config.validation import check_media
    from verigate.conformance import kit, located
    from verigate.conformance.machine import on_this_machine
    from verigate.discovery.search_path import Shelf
    from verigate.domain.manifest import Origin
    from verigate.domain.task import IMPLICIT_TASK_TYPE

    builtin, environ = builtin_root(), dict(os.environ)
    profiles = load_profiles(builtin, builtin)
    profile = profiles.resolve(profiles.default_for(IMPLICIT_TASK_TYPE))
    registry = discover([Shelf(f"{builtin}/adapters", Origin.BUILTIN)], read_manifest_document)
    tools = Tools(str(builtin), read_tool_document)
    found = {
        adapter: located.loaded(adapter, read_manifest_document, tools, read_tool_document)
        for adapter in located.located(path.resolve())
    }
    choices = kit.choices(found.values(), kit.Choice(*map(tuple, (capabilities, fixtures, checks, without))))
    reports = []
    for (adapter, declared), choice in zip(found.items(), choices, strict=True):
        if choice is None:
            continue
        with on_this_machine(
            environ, registry, (profile.name, profiles.document(profile)), check_media, listener or Silent()
        ) as machine:
            reports.append(kit.check(adapter, declared, read_fixture_document, machine, choice))
    return tuple(reports)


def begin_task(
    root: Path, document: Mapping[str, Any], base: str | None, environ: Mapping[str, str]
) -> tuple[Path, tuple[str, ...]]:
    """Write a commitment with its base commit, and make its task the current one; never overwrites one.

    Returns its path, and warnings about what it will be judged by.
    """
    from verigate.config.configuration import load_configuration
    from verigate.config.floor import chosen_profile, counts_together, held_as_code
    from verigate.config.plan_file import entry_for
    from verigate.config.validation import validate
    from verigate.domain.task import IMPLICIT_TASK_TYPE
    from verigate.evidence.store import artifacts_folder, encode, task_folder, write_atomically
    from verigate.execution.ask import ask_line

    task_id = str(document["task_id"])
    commit = ask_line(
        root, environ, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{base or 'HEAD'}^{{commit}}"
    )
    if base is not None and commit is None:
        raise UsageError(f"{base!r} is no commit of this repository", where="--base")
    full = {**document, **({"base": commit} if commit else {})}
    if faults := validate("commitment", full):
        raise ConfigError(faults)
    configuration = load_configuration(root, builtin_root())
    task_type = str(document["type"])
    entry_for(configuration.plan, task_type)
    profiles = configuration.profiles
    profile = chosen_profile(profiles, task_type, committed=document.get("profile"), where="--profile")
    folder = task_folder(root, task_id)
    path = folder / "commitment.json"
    if path.exists():
        raise UsageError(
            f"task {task_id} has a commitment already", where=str(path), hint="choose another id, or remove the file"
        )
    artifacts_folder(root)
    write_atomically(path, encode(full))
    write_atomically(root / ".artifacts" / "current", f"{task_id}\n".encode())
    more = held_as_code(profile, profiles)[1] if task_type != IMPLICIT_TASK_TYPE else ()
    return path, (counts_together(profile, profiles, more),) if more else ()


def write_claim(
    root: Path, task_id: str, body: Mapping[str, Any], file: Path | None, actor: str | None
) -> tuple[Path, tuple[str, ...]]:
    """Write claim.json for a task, refusing one that verify would call invalid."""
    from verigate.config.files import parse, read_bytes
    from verigate.config.task_files import claim_reading, read_commitment
    from verigate.evidence.store import encode, task_folder, write_atomically

    folder = task_folder(root, task_id)
    commitment = read_commitment(folder / "commitment.json", task_id, root).commitment
    if file is not None:
        content = read_bytes(file, shown=str(file), follow=True)
        if content is None:
            raise UsageError(f"{file} does not exist", where="--file")
        document = parse(content, shown=str(file))
    else:
        moment = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        document = {"schema": "verigate:claim.v1", "task_id": task_id, "timestamp": moment}
        document["claim"] = {"type": commitment.type, **body}
    if actor is not None and isinstance(document, dict):
        document["actor"] = actor
    reading = claim_reading(document, task_id, commitment.type, shown=str(file) if file else "the claim")
    if reading.faults:
        raise ConfigError(reading.faults)
    path = folder / "claim.json"
    write_atomically(path, encode(document))
    return path, tuple(map(str, reading.warnings))


def task_rows(root: Path) -> list[TaskRow]:
    """A row per task of the repository, with its verdict where that is intact."""
    from verigate.config.which_task import current_task, known_tasks

    current = current_task(root)
    return [_task_row(root, task_id, current=task_id == current) for task_id in known_tasks(root)]


def _task_row(root: Path, task_id: str, *, current: bool) -> TaskRow:
    from verigate.config.task_files import read_commitment
    from verigate.domain.verdict import Status
    from verigate.evidence.store import task_folder
    from verigate.replay import genuine
    from verigate.reporting.listings import TaskRow

    folder = task_folder(root, task_id)
    try:
        task_type = read_commitment(folder / "commitment.json", task_id, root).commitment.type
    except ConfigError:
        task_type = "-"
    try:
        published = genuine(root, folder)
        verdict = published.verdict
        return TaskRow(
            task_id,
            str(verdict.get("type", task_type)),
            Status(verdict["status"]),
            str(verdict["metadata"].get("finished", "")) or None,
            current,
            "UNVERIFIED" if (folder / "UNVERIFIED").exists() else "",
        )
    except (EvidenceError, KeyError, ValueError) as problem:
        begun = not (folder / "verdict.json").exists()
        return TaskRow(task_id, task_type, None, None, current, "no verdict yet" if begun else str(problem))


def excerpts(published: Published, check: Check) -> Sequence[Excerpt]:
    """The very lines of evidence that a check cites, read from the published artifacts."""
    from verigate.domain.strict_json import loads
    from verigate.reporting.explain import excerpt

    cited = [ref for ref in check.evidence if published.index.get(ref.artifact, {}).get("is_json")]
    values = {path: loads(published.read(path)) for path in {ref.artifact for ref in cited}}
    return [excerpt(ref, values[ref.artifact]) for ref in cited]


def examine(root: Path, environ: Mapping[str, str], launcher: Sequence[str]) -> list[Finding]:
    """What ``gate doctor`` finds."""
    from verigate.config.baseline import read_baseline
    from verigate.config.configuration import load_configuration
    from verigate.evidence.attestation import KEY_VARIABLE, signer
    from verigate.execution.sandbox import find_bubblewrap, probe
    from verigate.integrations.doctor import examine as look

    def sandbox() -> str | None:
        found = probe(find_bubblewrap(environ))
        return found.path if found else None

    def key() -> str | None:
        signer(environ)
        return environ.get(KEY_VARIABLE) or None

    return look(
        root,
        environ,
        sandbox=sandbox,
        adapters=builtin_root() / "adapters",
        configuration=lambda: load_configuration(root, builtin_root()),
        baseline=lambda: read_baseline(root, today()),
        registry=lambda: services(root).discover(str(root)),
        entry_problem=entry_problem,
        engines=lambda: _named_engines(root, environ),
        key=key,
        launcher=launcher,
    )


def _named_engines(root: Path, environ: Mapping[str, str]) -> Sequence[EnvironmentTest]:
    """The tests of the engines that a profile of the repository names; of none where its configuration is no good."""
    from verigate.config.configuration import load_configuration

    try:
        profiles = load_configuration(root, builtin_root()).profiles
    except ConfigError:
        return ()
    rules = [profiles.resolve(name).rules for name in profiles.names]
    if not any(said.get("verifier") for said in rules):
        return ()
    from verigate import engaging

    return engaging.tests_of(rules, root, environ, _now)


def test_environment(root: Path, name: str, environ: Mapping[str, str]) -> EnvironmentTest:
    """What ``gate doctor NAME`` finds about an engine or an adapter. Raises UsageError for neither."""
    from verigate import engaging
    from verigate.domain.engine import engine_type
    from verigate.domain.names import suggestion
    from verigate.integrations.doctor_adapter import examine_adapter

    engines = engaging.types(environ)
    if engine_type(name) in engines:
        return engaging.environment_test(name, root, environ, _now)
    manifests = {manifest.name: manifest for manifest in services(root).discover(str(root)).manifests}
    if name in manifests:
        return examine_adapter(manifests[name], environ, entry_problem, _now())
    known = [*(found.replace("_", "-") for found in engines), *manifests]
    raise UsageError(f"no engine and no adapter is called {name!r}", hint=suggestion(name, known, 3))
