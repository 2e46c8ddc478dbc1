"""Prepare the kit's resources on this machine: a folder, a tracer, another locale and another time zone."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from verigate.conformance.tracer import find_tracer
from verigate.conformance.trial_bench import KitMachine
from verigate.domain.manifest import Registry
from verigate.domain.ports import Listener
from verigate.errors import ExecutionError

_ZONE = "Pacific/Kiritimati"
_POSIX_ZONE = "LINT-14"
"""The same for a machine without a table of time zones (tzset(3))."""

_WANTED_LOCALES = ("tr_TR", "de_DE", "fr_FR", "en_US", "en_GB")
"""Turkish first: its lower case differs from the others."""


@contextlib.contextmanager
def prepare_machine(
    environ: Mapping[str, str],
    registry: Registry,
    profile: tuple[str, Mapping[str, Any]],
    check_artifact: Callable[..., Any],
    listener: Listener,
    *,
    sandbox: str,
) -> Iterator[KitMachine]:
    """Prepare a machine with a folder that is removed afterwards. Raises ExecutionError if none can be created."""
    try:
        folder = tempfile.TemporaryDirectory(
            prefix="verigate-kit-", dir=environ.get("TMPDIR") or None, ignore_cleanup_errors=True
        )
    except OSError as problem:
        raise ExecutionError(f"can't create a temporary folder: {problem.strerror}", hint="set TMPDIR") from problem
    with folder as path:
        yield KitMachine(
            environ=environ,
            folder=Path(path).resolve(),
            tracer=find_tracer(environ),
            registry=registry,
            profile=profile,
            check_artifact=check_artifact,
            listener=listener,
            locale=choose_locale(_list_locales(environ)),
            zone=_ZONE if Path("/usr/share/zoneinfo", _ZONE).is_file() else _POSIX_ZONE,
            sandbox=sandbox,
        )


def choose_locale(installed: tuple[str, ...]) -> str:
    """Choose the locale of these that differs most from C.UTF-8; ``C`` without another one."""
    utf8 = [
        name
        for name in installed
        if name.lower().endswith((".utf8", ".utf-8")) and not name.startswith(("C.", "POSIX"))
    ]
    for wanted in _WANTED_LOCALES:
        for name in utf8:
            if name.startswith(wanted):
                return name
    return utf8[0] if utf8 else "C"


def _list_locales(environ: Mapping[str, str]) -> tuple[str, ...]:
    try:
        done = subprocess.run(
            ("locale", "-a"), env={"PATH": environ.get("PATH", os.defpath)}, capture_output=True, check=False
        )
    except OSError:
        return ()
    return tuple(done.stdout.decode("ascii", "replace").split())
