"""The one place where the parts that do I/O are constructed and handed to the pipeline, the kit and the doctor."""

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
from verigate.config.documents import read_manifest_document, read_tool_document
from verigate.discovery.registry import discover
from verigate.discovery.search_path import Shelf, shelves
from verigate.discovery.tools import Tools
from verigate.domain.adapter_package import PACKAGES_FILE
from verigate.domain.execution import CapabilityRun
from verigate.domain.manifest import Registry
from verigate.domain.ports import Listener
from verigate.errors import ConfigError
from verigate.user_folders import UserFolders

if TYPE_CHECKING:
    from verigate.config.profiles import Profiles
    from verigate.domain.verdict import Check
    from verigate.evidence.store import Published
    from verigate.execution.prefetch import Prefetched
    from verigate.reporting.explain import Excerpt
    from verigate.usecases.verify import Services
    from verigate.verifier.attended import Watch


class Silent:
    """A listener that shows nothing."""

    def started(self, capability: str) -> None:
        """Nothing to do."""

    def finished(self, run: CapabilityRun) -> None:
        """Nothing to do."""


_NEEDED_LATER = (
    "verigate.processes.environment",
    "verigate.processes.tool_path",
    "verigate.processes.process_loop",
    "verigate.execution.runner",
    "verigate.gate.decision",
    "verigate.evidence.run_record",
    "verigate.reporting.text",
    "verigate.reporting.notices",
)


def load_later_modules() -> Iterator[None]:
    """Load what running, deciding and reporting need, a module at a step, while the gate waits for git and adapters."""
    import importlib

    for name in _NEEDED_LATER:
        importlib.import_module(name)
        yield


def _run(*arguments: Any, **options: Any) -> tuple[CapabilityRun, ...]:
    from verigate.execution.runner import run_plan

    return run_plan(*arguments, **options)


def _ask(*arguments: Any, **options: Any) -> Mapping[str, bytes]:
    from verigate.usecases.engines import ask_engine

    return ask_engine(*arguments, now=now, **options)


def now() -> str:
    """The moment in UTC, ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def today() -> str:
    """The date in UTC, ISO 8601: the day on which a baseline's entries are judged."""
    return datetime.now(UTC).date().isoformat()


def services(
    root: Path,
    *,
    listener: Listener | None = None,
    ahead: Prefetched | None = None,
    watch: Watch | None = None,
) -> Services:
    """Everything the pipeline needs, for the repository at ``root``; ``ahead`` is what was begun for it before.

    ``watch`` hears the run log of a verifier's engine.
    """
    from verigate.config import validation_cache
    from verigate.config.adapters_config import resolve_adapters_config
    from verigate.config.configuration import load_configuration
    from verigate.config.validation import check_media
    from verigate.evidence.attestation import signer
    from verigate.subject.workspace import open_workspace
    from verigate.usecases.verify import Services

    # Everything is loaded by now and stays; from here on garbage is made.
    gc.freeze()
    gc.enable()
    builtin = builtin_root()
    environ = dict(os.environ)
    validation_cache.use_cache(UserFolders(environ, str(root)))
    upcoming = load_later_modules()
    return Services(
        root=root,
        version=__version__,
        environ=environ,
        host=os.uname().nodename,
        jobs=os.cpu_count() or 1,
        now=now,
        monotonic=time.monotonic,
        open_workspace=partial(
            ahead.workspace if ahead else partial(open_workspace, environ=environ, gate_prefix=sys.prefix),
            meanwhile=upcoming,
        ),
        read_configuration=lambda policy_root: load_configuration(policy_root, builtin, today),
        read_base_profiles=lambda content: base_profiles(content, builtin),
        discover=partial(find_adapters, builtin=str(builtin), environ=environ),
        entry_problem=find_entry_problem,
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
        from verigate.config.packages import read_pinned_packages
        from verigate.discovery.npm import pinned_shelves

        pins = read_pinned_packages(Path(policy_root))
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


def find_entry_problem(path: str) -> str | None:
    """What keeps an adapter's entry from being started, None if nothing does."""
    if not os.path.lexists(path):
        return "its entry does not exist"
    if not Path(path).is_file():
        return "its entry is not a file"
    if not os.access(path, os.X_OK):
        return "its entry is not executable; chmod +x it"
    return None


def list_entry_warnings(registry: Registry) -> list[str]:
    """A sentence for every adapter that could not be started."""
    found = ((manifest, find_entry_problem(manifest.entry_path)) for manifest in registry.manifests)
    return [f"adapter {manifest.name}: {problem}: {manifest.entry_path}" for manifest, problem in found if problem]


def read_excerpts(published: Published, check: Check) -> Sequence[Excerpt]:
    """The very lines of evidence that a check cites, read from the published artifacts."""
    from verigate.formats.strict_json import loads
    from verigate.reporting.explain import excerpt

    cited = [ref for ref in check.evidence if published.index.get(ref.artifact, {}).get("is_json")]
    values = {path: loads(published.read(path)) for path in {ref.artifact for ref in cited}}
    return [excerpt(ref, values[ref.artifact]) for ref in cited]
