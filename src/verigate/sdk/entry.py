"""The start of a Python adapter: arguments in, one handler called, an exit code out."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence

from verigate.sdk.artifacts import clean_text
from verigate.sdk.errors import AdapterError, AdapterUsageError
from verigate.sdk.request import Request, parse_arguments
from verigate.sdk.stopping import STOPPED, ended_by_term, has_come

Handler = Callable[[Request], None]


def main(handlers: Mapping[str, Handler], argv: Sequence[str] | None = None) -> int:
    """Run the handler of the capability named in ``argv`` (default: this process's arguments).

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
        handler(request)
    except AdapterError as error:
        for fault in error.faults:
            # What follows the first line is indented, so that it is seen to belong to it.
            sys.stderr.write(clean_text(str(fault)).replace("\n", "\n    ") + "\n")
        return error.exit_code
    return 0


def handlers_of(modules: Mapping[str, str], extra: str | None = None) -> Mapping[str, Handler]:
    """The handlers of ``modules``, capability -> module with ``run(request) -> None``, each imported when it is called.

    ``extra`` is what of verigate has to be installed where a library is missing; then AdapterError says so.
    """
    return {capability: _lazily(module, extra) for capability, module in modules.items()}


def _lazily(module: str, extra: str | None) -> Handler:
    def handler(request: Request) -> None:
        try:
            importlib.import_module(module).run(request)
        except ModuleNotFoundError as error:
            name = (error.name or "").partition(".")[0]
            if extra is None or name in {"verigate", module.partition(".")[0]}:
                raise
            raise AdapterError(
                f"{name} is not installed", where=request.capability, hint=f"pip install 'verigate[{extra}]'"
            ) from error

    return handler
