"""Find the engine that is to be checked, and run the kit with the parts of this machine."""

from __future__ import annotations

import importlib
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verigate.composition import now
from verigate.conformance.engine_kit.bench import CANARY, CANARY_VARIABLE, EngineBench, EngineUnderTest
from verigate.conformance.engine_kit.kit import check_engine
from verigate.domain.engine import Engine, EngineFactory, EngineServices, normalize_engine_type
from verigate.errors import UsageError
from verigate.usecases.engines import drop_repository_paths, engine_services
from verigate.user_folders import is_inside
from verigate.verifier.engine_options import read_options
from verigate.verifier.engines import create_from_offer, list_offers
from verigate.verifier.http.engine import HttpEngine
from verigate.verifier.lifecycle.run_root import hold_run_root
from verigate.verifier.overrides import apply_overrides
from verigate.verifier.plugins import ENTRY_POINT_GROUP, MANIFEST, EngineOffer, read_engine_folder

if TYPE_CHECKING:
    from verigate.domain.conformance import Conformance


def check(
    name: str,
    environ: Mapping[str, str],
    root: Path | None,
    *,
    chosen: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    timeout_s: float = 120.0,
    outside: bool = False,
) -> Conformance:
    """Check the engine ``name``: a type, or the path of its folder. Raises UsageError.

    ``options`` come before the user's. ``outside``: the caller agrees to run code of the repository at ``root``, where
    it has the caller's rights.
    """
    if root is not None and not outside:
        environ = drop_repository_paths(environ, root)
    with tempfile.TemporaryDirectory(prefix="verigate-engine-check-") as place:
        folder = Path(place).resolve()
        (folder / "tmp").mkdir()
        with hold_run_root({**environ, "XDG_STATE_HOME": str(folder)}, None, "engine-check") as run_root:
            services = engine_services({**environ, CANARY_VARIABLE: CANARY}, root, run_root, now)
            subject = find_subject(name, services, root, options or {}, outside=outside)
            return check_engine(EngineBench(subject, services, folder, timeout_s), chosen)


def find_subject(
    name: str, services: EngineServices, root: Path | None, options: Mapping[str, Any], *, outside: bool
) -> EngineUnderTest:
    """Find the engine: a folder with a manifest, a package's folder, or a type. Raises UsageError."""
    folder = Path(name).expanduser().resolve()
    if "/" in name or name in {".", ".."} or (folder / MANIFEST).is_file():
        if root is not None and is_inside(str(folder), str(root)) and not outside:
            hint = "--outside agrees to run it with your rights, outside of the sandbox"
            raise UsageError("the engine lies in this repository", where=name, hint=hint)
        offer = _read_folder(folder)
    else:
        offer = list_offers(name, services)[0]
    kind = normalize_engine_type(offer.type)
    mine = read_options(services.environ, services.repository).get(kind, {})

    def make(given: EngineServices) -> Engine:
        return create_from_offer(offer, given)

    is_http = isinstance(make(services), HttpEngine)
    return EngineUnderTest(kind, offer.where, make, apply_overrides(mine, options), is_http)


def _read_folder(folder: Path) -> EngineOffer:
    """Read the engine in a folder: its manifest, else the entry point in its pyproject.toml."""
    if (folder / MANIFEST).is_file():
        offer = read_engine_folder(folder)
        if offer is None:
            raise UsageError(
                "its manifest is of another kind", where=str(folder / MANIFEST), hint='write "kind": "engine"'
            )
        return offer
    path = folder / "pyproject.toml"
    if not path.is_file():
        hint = f"name a folder with a {MANIFEST} or a pyproject.toml, or the engine's type"
        raise UsageError("there is no engine", where=str(folder), hint=hint)
    return _read_package(folder, path)


def _read_package(folder: Path, path: Path) -> EngineOffer:
    import tomllib

    try:
        document = tomllib.loads(path.read_text("utf-8"))
        points = document["project"]["entry-points"][ENTRY_POINT_GROUP]
        ((name, target),) = points.items()
        module, _, attribute = target.partition(":")
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as problem:
        hint = f'write [project.entry-points."{ENTRY_POINT_GROUP}"] with one engine'
        raise UsageError("it offers no engine", where=str(path), hint=hint) from problem

    def load() -> EngineFactory:
        source = folder / "src"
        sys.path.insert(0, str(source if source.is_dir() else folder))
        try:
            found: EngineFactory = getattr(importlib.import_module(module), attribute)
        except (Exception, SystemExit) as problem:  # anybody's code
            kind = type(problem).__name__
            raise UsageError(f"the engine {name} can't be loaded: {kind}: {problem}", where=target) from problem
        finally:
            sys.path.pop(0)
        return found

    return EngineOffer(normalize_engine_type(name), "package", f"{folder} ({target})", load)
