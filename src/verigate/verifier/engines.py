"""Find engines by type. An engine is loaded only when it is used."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from verigate.domain.engine import (
    Engine,
    EngineFactory,
    EngineOrigin,
    EngineServices,
    describe_engine,
    normalize_engine_type,
)
from verigate.errors import GateError, UsageError
from verigate.formats.near_names import suggest_nearest
from verigate.verifier.engine_options import read_options
from verigate.verifier.managed_engine import ManagedEngine, Watch
from verigate.verifier.plugins import EngineOffer, EngineOffers, find_offers
from verigate.verifier.session import open_session

_PROGRAMS = "verigate.verifier.programs.builtin"
BUILTIN: Mapping[str, str] = {
    "claude_cli": f"{_PROGRAMS}:claude_cli",
    "codex_cli": f"{_PROGRAMS}:codex_cli",
    "gemini_api": "verigate.verifier.gemini.engine:create_engine",
    "gemini_cli": f"{_PROGRAMS}:gemini_cli",
    "http": "verigate.verifier.http.builtin:http",
    "iflow_cli": f"{_PROGRAMS}:iflow_cli",
    "process": f"{_PROGRAMS}:process",
}
"""Engine type -> ``module:factory`` of the built-in engines."""


def find_engines(environ: Mapping[str, str], repository: str | None = None) -> EngineOffers:
    """Find every engine, plug-ins before built-in ones. None is taken from ``repository``."""
    return find_offers(environ, repository, _list_builtin(BUILTIN))


def _list_builtin(known: Mapping[str, str | EngineFactory]) -> Iterable[EngineOffer]:
    return (EngineOffer(name, "built-in", "verigate", _make_loader(factory)) for name, factory in known.items())


def _make_loader(factory: str | EngineFactory) -> Callable[[], EngineFactory]:
    def load() -> EngineFactory:
        if not isinstance(factory, str):
            return factory
        module, _, attribute = factory.partition(":")
        found: EngineFactory = getattr(importlib.import_module(module), attribute)
        return found

    return load


def find_engine(name: str, services: EngineServices, known: Mapping[str, str | EngineFactory] | None = None) -> Engine:
    """Create the engine that a profile calls ``name``. Raises UsageError with similar names if there is none.

    ``known`` restricts the search to these engines.
    """
    return create_from_offer(list_offers(name, services, known)[0], services)


def list_offers(
    name: str, services: EngineServices, known: Mapping[str, str | EngineFactory] | None = None
) -> tuple[EngineOffer, ...]:
    """List the engines of that name, the one in use first. Raises UsageError with similar names if there is none."""
    there = (
        find_engines(services.environ, services.repository).by_type
        if known is None
        else {o.type: (o,) for o in _list_builtin(known)}
    )
    wanted = normalize_engine_type(name)
    if wanted not in there:
        names = [known_type.replace("_", "-") for known_type in sorted(there)]
        hint = suggest_nearest(name, names) or f"known engines: {', '.join(names)}"
        raise UsageError(f"no engine is called {name!r}", where="verifier.engine of the profile", hint=hint)
    return there[wanted]


def open_engine(
    name: str,
    services: EngineServices,
    watch: Watch | None = None,
    *,
    session: bool = False,
    overrides: Mapping[str, Any] | None = None,
) -> ManagedEngine:
    """Create an engine with the user's options and a watcher; ``session``: with the task's. Raises UsageError.

    ``overrides`` are the options of this run, which come before all others.
    """
    used, *others = list_offers(name, services)
    engine = create_from_offer(used, services)
    options = read_options(services.environ, services.repository).get(engine.description.type, {})
    foreign = not type(engine).__module__.startswith("verigate.")
    origin = EngineOrigin(used.origin, used.where, tuple(other.origin for other in others))
    overrides = overrides or {}
    wanted = session and overrides.get("session", options.get("session")) is not False
    kept = open_session(engine, services) if wanted else None
    return ManagedEngine(engine, options, kept, watch=watch, test_first=foreign, origin=origin, overrides=overrides)


def create_from_offer(offer: EngineOffer, services: EngineServices) -> Engine:
    """Create the engine of an offer. Raises UsageError if it can't be created, or has another type than offered."""
    factory = offer.load()
    if offer.origin == "built-in":
        return factory(services)
    try:
        engine = factory(services)
        found = engine.description.type
    except (Exception, SystemExit) as problem:  # anybody's code
        kind = type(problem).__name__
        raise UsageError(f"the engine {offer.type} can't be made: {kind}: {problem}", where=offer.where) from problem
    if found != offer.type:
        raise UsageError(f"the engine {offer.type} calls itself {found!r}", where=offer.where)
    return engine


def describe_engines(services: EngineServices) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """Return an entry for each engine (description, capabilities, origin, overrides), and the warnings."""
    found = find_engines(services.environ, services.repository)
    listed: list[dict[str, Any]] = []
    for name, (used, *others) in found.by_type.items():
        place = {"origin": used.origin, "where": used.where}
        overrides = [{"origin": other.origin, "where": other.where} for other in others]
        try:
            described = describe_engine(create_from_offer(used, services))
        except GateError as problem:
            described = {"type": name, "problem": problem.message}
        listed.append({**described, **place, "overrides": overrides})
    return listed, found.warnings
