"""Import modules on first use that libraries import early and a short call never uses.

Saves a tenth of the time until the gate starts its first adapter, and as much of an adapter's start.
``importlib.util.LazyLoader`` can't do this: an import statement loads its module at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib.machinery import PathFinder
from threading import RLock
from types import ModuleType
from typing import Any

_DEFERRED = ("inspect", "ipaddress", "textwrap", "bz2", "lzma", "platform")
"""Modules of the standard library that dataclasses, urllib.parse, msgspec, shutil and uuid import for rarely called
code.
"""
_KNOWN: Mapping[str, Mapping[str, Any]] = {"platform": {"system": lambda: os.uname().sysname}}
"""What is known of them without loading them: uuid asks for the system's name as it is imported."""


def defer_imports() -> None:
    """Defer these modules until something uses them. Call it before any thread starts."""
    for name in _DEFERRED:
        if name not in sys.modules:
            _defer(name)


def load_msgspec() -> None:
    """Load msgspec without typing_extensions, which it imports if installed and doesn't need since Python 3.11.

    Source: msgspec/_utils.py, which takes the same names from typing.
    """
    name = "typing_extensions"
    if name in sys.modules:
        return
    sys.modules[name] = None  # type: ignore[assignment] # as the documentation of sys.modules has it
    try:
        import msgspec  # noqa: F401 - to have it loaded
    finally:
        del sys.modules[name]


def _defer(name: str) -> None:
    spec = PathFinder.find_spec(name)
    if spec is None or spec.loader is None:
        return
    loader = spec.loader
    module = ModuleType(name)
    known = _KNOWN.get(name, {})
    # Of each module: threads that load two of them never wait for each other.
    loading = RLock()
    begun = False

    def load(attribute: str) -> Any:
        nonlocal begun
        if attribute in known:
            return known[attribute]
        with loading:
            if not begun:
                begun = True
                loader.exec_module(module)
                if module.__dict__.get("__getattr__") is load:
                    del module.__getattr__  # PEP 562
        if attribute not in module.__dict__:
            raise AttributeError(f"module {name!r} has no attribute {attribute!r}", name=attribute, obj=module)
        return module.__dict__[attribute]

    module.__spec__, module.__loader__, module.__file__ = spec, loader, spec.origin
    module.__getattr__ = load  # type: ignore[method-assign] # PEP 562
    sys.modules[name] = module
