"""The engines that there are, by type. None is loaded before it is used."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from verigate.domain.engine import Engine, EngineFactory, EngineServices, engine_type
from verigate.domain.names import nearest
from verigate.errors import UsageError

BUILTIN: Mapping[str, str] = {
    "gemini_api": "verigate.verifier.gemini.engine:create_engine",
}
"""Engine type -> ``module:factory`` of what ships."""


def find_engine(name: str, services: EngineServices, known: Mapping[str, str | EngineFactory] = BUILTIN) -> Engine:
    """The engine that a profile calls ``name``. Raises UsageError that names the nearest."""
    wanted = engine_type(name)
    if wanted not in known:
        names = [known_type.replace("_", "-") for known_type in sorted(known)]
        hint = nearest(name, names) or f"known engines: {', '.join(names)}"
        raise UsageError(f"no engine is called {name!r}", where="verifier.engine of the profile", hint=hint)
    factory = known[wanted]
    if isinstance(factory, str):
        module, _, attribute = factory.partition(":")
        factory = getattr(importlib.import_module(module), attribute)
    return factory(services)
