"""Find plug-in engines: installed packages, and folders with a manifest of kind ``engine``.

A folder contains only data: it describes a program or a server. Folders come first, then packages, then built-in
engines; the first of a type is used, and the others are reported. To remove an engine, remove its folder or package. No
repository is searched: an engine runs outside of the sandbox, with the user's credentials.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from verigate.domain.engine import ENGINE_TYPE, EngineFactory, Origin, normalize_engine_type
from verigate.errors import UsageError
from verigate.user_folders import UserFolders
from verigate.verifier.enforced import read_folder_enforced
from verigate.verifier.http.server import HttpServer
from verigate.verifier.program import Program

ENTRY_POINT_GROUP = "verigate.engines"
PATH_VARIABLE = "GATE_ENGINE_PATH"
MANIFEST = "manifest.json"
_MAX_BYTES = 1024 * 1024


class EngineOffer(Struct, frozen=True):
    """An engine on offer. ``load`` returns its factory, and raises UsageError if it can't be loaded."""

    type: str
    origin: Origin
    where: str
    load: Callable[[], EngineFactory]


class EngineOffers(Struct, frozen=True):
    """All engines by type, the one in use first; and warnings about unreadable ones."""

    by_type: Mapping[str, tuple[EngineOffer, ...]]
    warnings: tuple[str, ...] = ()


class _Manifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kind: Literal["engine"]
    name: str
    version: str
    schema: str | None = field(default=None, name="$schema")
    description: str = ""
    license: str | None = None
    author: Any = None


class EngineManifest(_Manifest, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A folder's ``manifest.json``. A first word of the command with a slash is relative to the folder."""

    engine: Program


class HttpManifest(_Manifest, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A folder's ``manifest.json`` whose engine is a server: its ``kind`` is ``http``."""

    engine: HttpServer


def find_offers(
    environ: Mapping[str, str], repository: str | None, builtin: Iterable[EngineOffer] = ()
) -> EngineOffers:
    """Find all engines. Imports and starts nothing."""
    found: dict[str, list[EngineOffer]] = {}
    warnings: list[str] = []
    for folder in _list_folders(environ, repository):
        try:
            offer = read_engine_folder(folder)
        except UsageError as problem:
            warnings.append(f"engine {folder}: {problem.message}")
            continue
        if offer is not None:
            found.setdefault(offer.type, []).append(offer)
    for offer in (*_list_packages(), *builtin):
        found.setdefault(offer.type, []).append(offer)
    bad = [name for name in found if not ENGINE_TYPE.fullmatch(name)]
    warnings += [f"engine {found.pop(name)[0].where}: {name!r} is no type: snake_case, as gemini_api" for name in bad]
    return EngineOffers({name: tuple(found[name]) for name in sorted(found)}, tuple(warnings))


def _list_folders(environ: Mapping[str, str], repository: str | None) -> Iterable[Path]:
    """List the folders on GATE_ENGINE_PATH, each an engine or a folder of engines; then the user's own."""
    own = UserFolders(environ, repository).config("engines")
    places = [Path(name) for name in environ.get(PATH_VARIABLE, "").split(os.pathsep) if name]
    for place in (*places, *([Path(own)] if own is not None else ())):
        if (place / MANIFEST).is_file():
            yield place
            continue
        try:
            yield from sorted(item for item in place.iterdir() if (item / MANIFEST).is_file())
        except OSError:
            continue


def read_engine_folder(folder: Path) -> EngineOffer | None:
    """Read the engine in a folder; None if its manifest is of another kind. Raises UsageError for an unusable one."""
    manifest = read_manifest(folder / MANIFEST)
    if manifest is None:
        return None
    enforced = read_folder_enforced(folder, manifest.engine.type)
    engine = manifest.engine
    engine = engine if enforced is None else replace(engine, enforced={**engine.enforced, **enforced})

    def factory() -> EngineFactory:
        if isinstance(engine, HttpServer):
            from verigate.verifier.http.engine import HttpEngine

            return lambda services: HttpEngine(engine, services)
        from verigate.verifier.programs.engine import ProgramEngine

        program = _resolve_command(engine, folder)
        return lambda services: ProgramEngine(program, services)

    return EngineOffer(normalize_engine_type(engine.type), "folder", str(folder), factory)


def read_manifest(path: Path) -> EngineManifest | HttpManifest | None:
    """Read an engine's manifest; None for a manifest of another kind. Raises UsageError for an unusable one."""
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_BYTES)
        document = msgspec.json.decode(content, type=dict[str, Any])
        if document.get("kind") != "engine":
            return None
        engine = document.get("engine")
        is_http = isinstance(engine, dict) and engine.get("kind") == "http"
        manifest: EngineManifest | HttpManifest = (
            msgspec.convert(document, HttpManifest) if is_http else msgspec.convert(document, EngineManifest)
        )
    except OSError as problem:
        raise UsageError(f"it can't be read: {problem.strerror}", where=str(path)) from problem
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise UsageError(f"its manifest can't be used: {problem}", where=str(path)) from problem
    if isinstance(manifest, EngineManifest) and not manifest.engine.command:
        raise UsageError("its engine has no command", where=str(path), hint="engine.command is an argument vector")
    return manifest


def _resolve_command(program: Program, folder: Path) -> Program:
    first, *rest = program.command
    if "/" not in first or first.startswith("/"):
        return program
    return replace(program, command=(str((folder / first).resolve()), *rest))


def _list_packages() -> Iterable[EngineOffer]:
    from importlib.metadata import EntryPoint, entry_points

    def make_loader(point: EntryPoint) -> Callable[[], EngineFactory]:
        def load() -> EngineFactory:
            try:
                factory: EngineFactory = point.load()
            except (Exception, SystemExit) as problem:  # anybody's code
                kind = type(problem).__name__
                raise UsageError(
                    f"the engine {point.name} can't be loaded: {kind}: {problem}", where=point.value
                ) from problem
            if not callable(factory):
                raise UsageError(f"the engine {point.name} is no factory of engines", where=point.value)
            return factory

        return load

    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: (point.name, point.value)):
        package = point.dist.name if point.dist is not None else point.value
        yield EngineOffer(
            normalize_engine_type(point.name), "package", f"{package} ({point.value})", make_loader(point)
        )
