"""Import modules on first use that libraries import early and a verify never uses.

Saves a tenth of the time until the first adapter starts. ``importlib.util.LazyLoader`` can't do this: an import
statement loads its module at once.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any

_DEFERRED = ("inspect", "ipaddress", "textwrap", "bz2", "lzma")
"""Modules of the standard library that dataclasses, urllib.parse, msgspec and shutil import for rarely called code.
"""


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

    def load(attribute: str) -> Any:
        del module.__getattr__  # PEP 562
        loader.exec_module(module)
        return getattr(module, attribute)

    module.__spec__, module.__loader__, module.__file__ = spec, loader, spec.origin
    module.__getattr__ = load  # type: ignore[method-assign] # PEP 562
    sys.modules[name] = module
