"""The start of a Python adapter: arguments in, one handler called, an exit code out."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from verigate.extras import absent_modules, extra_of
from verigate.sdk.artifacts import clean_text
from verigate.sdk.errors import AdapterError, AdapterUsageError, ExtraMissing
from verigate.sdk.request import Request, parse_arguments
from verigate.sdk.stopping import STOPPED, ended_by_term, has_come

Handler = Callable[[Request], None]


def main(handlers: Mapping[str, Handler], argv: Sequence[str] | None = None) -> int:
    """Run the handler of the capability named in ``argv`` (default: this process's arguments).

    A handler that misses a library of one of the gate's extras ends the call with the command that installs it.

    Returns 0 when it returned, 1 for an AdapterError, 2 for a call that makes no sense, 143 where SIGTERM came. Any
    other exception is a programming error and is left to Python, whose exit code is not 0 either.
    """
    # Without this a TERM would end the adapter before it has ended the tools it started.
    with ended_by_term():
        code = _called(handlers, argv)
    # Where Python was in a callback just then (of a lock that an import lets go), it has ignored the exception.
    return STOPPED if has_come() and code == 0 else code


def _called(handlers: Mapping[str, Handler], argv: Sequence[str] | None) -> int:
    try:
        request = parse_arguments(sys.argv[1:] if argv is None else argv, os.environ)
        handler = handlers.get(request.capability)
        if handler is None:
            raise AdapterUsageError(
                f"unknown capability {request.capability!r}", hint=f"this adapter knows {', '.join(sorted(handlers))}"
            )
        _handle(handler, request)
    except AdapterError as error:
        for fault in error.faults:
            # What follows the first line is indented, so that it is seen to belong to it.
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
    return {capability: partial(_required, extra, only, handler) for capability, handler in handlers.items()}


def _required(extra: str, only: str, handler: Handler, request: Request) -> None:
    if names := [name for name in absent_modules(extra) if name.startswith(only)]:
        raise ExtraMissing(extra, names, request.capability)
    handler(request)


def handlers_of(modules: Mapping[str, str]) -> Mapping[str, Handler]:
    """The handlers of ``modules``, capability -> module with ``run(request) -> None``, each imported when called."""
    return {capability: _lazily(module) for capability, module in modules.items()}


def _lazily(module: str) -> Handler:
    def handler(request: Request) -> None:
        importlib.import_module(module).run(request)

    return handler
