"""Entry point of a Python adapter: parse the arguments, call one handler, return an exit code."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import ModuleType

from verigate.extras import absent_modules, extra_of
from verigate.sdk.artifacts import clean_text
from verigate.sdk.errors import AdapterError, AdapterUsageError, ExtraMissing, ToolFailed
from verigate.sdk.request import Request, parse_arguments
from verigate.sdk.sigterm import STOPPED, exit_on_sigterm, has_received_sigterm
from verigate.sdk.stragglers import own_what_is_started

Handler = Callable[[Request], None]


def main(handlers: Mapping[str, Handler], argv: Sequence[str] | None = None) -> int:
    """Run the handler of the capability named in ``argv`` (default: this process's arguments).

    If a library of one of the gate's extras is missing, the call fails with the command that installs it.

    Returns 0 on success, 1 for an AdapterError, 2 for a usage error, 143 after SIGTERM. Any other exception is a
    programming error: Python prints it and exits with another code than 0.
    """
    # Without this SIGTERM would end the adapter before it has ended the tools it started.
    with exit_on_sigterm(), own_what_is_started():
        code = _dispatch(handlers, argv)
    # Python ignores an exception raised in a callback, such as the one that releases an import lock.
    return STOPPED if has_received_sigterm() and code == 0 else code


def _dispatch(handlers: Mapping[str, Handler], argv: Sequence[str] | None) -> int:
    try:
        request = parse_arguments(sys.argv[1:] if argv is None else argv, os.environ)
        handler = handlers.get(request.capability)
        if handler is None:
            raise AdapterUsageError(
                f"unknown capability {request.capability!r}", hint=f"use one of: {', '.join(sorted(handlers))}"
            )
        _handle(handler, request)
    except AdapterError as error:
        if isinstance(error, ToolFailed) and error.output:
            # First: the gate quotes what is printed last.
            sys.stderr.write(f"{clean_text(error.output)}\n")
        for fault in error.faults:
            # Indent continuation lines, so that readers see which fault they belong to.
            sys.stderr.write(clean_text(str(fault)).replace("\n", "\n    ") + "\n")
        return error.exit_code
    return 0


def _handle(handler: Handler, request: Request) -> None:
    try:
        handler(request)
    except ModuleNotFoundError as error:
        if (extra := extra_of(error.name or "")) is None:
            raise
        raise ExtraMissing(extra, [error.name or ""], request.capability) from error


def requiring(extra: str, handlers: Mapping[str, Handler], *, only: str = "") -> dict[str, Handler]:
    """The same handlers, none of which is called unless ``extra`` is installed: for those of the gate itself.

    With ``only`` they need no more than the modules of it whose names begin so.
    """
    return {capability: partial(_require_extra, extra, only, handler) for capability, handler in handlers.items()}


def _require_extra(extra: str, only: str, handler: Handler, request: Request) -> None:
    if names := [name for name in absent_modules(extra) if name.startswith(only)]:
        raise ExtraMissing(extra, names, request.capability)
    handler(request)


def handlers_of(modules: Mapping[str, str]) -> Mapping[str, Handler]:
    """Make handlers from ``modules`` (capability -> module with ``run(request)``); each is imported when called."""
    return {capability: _import_on_call(module) for capability, module in modules.items()}


def _import_on_call(module: str) -> Handler:
    def handler(request: Request) -> None:
        load_module(module).run(request)

    return handler


def load_module(name: str) -> ModuleType:
    """Import the module ``name``, which stays until the end: nothing looks for garbage in it, now or later."""
    collects = gc.isenabled()
    gc.disable()
    try:
        return importlib.import_module(name)
    finally:
        gc.freeze()
        if collects:
            gc.enable()
