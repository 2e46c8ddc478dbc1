"""Show what capabilities printed in a run with ``--only``, which publishes no logs that could be read afterwards."""

from __future__ import annotations

from collections.abc import Mapping

from verigate.cli.output import say
from verigate.reporting.escape import escape

_SHOWN = 40
"""Last lines of a stream that are shown."""

_STREAMS = {"out": "stdout", "err": "stderr"}


def say_logs(logs: Mapping[str, bytes]) -> None:
    """Print the last lines of each stream that isn't empty on stderr, escaped. Names are ``domain.action.out``."""
    for name in sorted(logs):
        lines = logs[name].decode("utf-8", "replace").splitlines()
        if not lines:
            continue
        slug, _, stream = name.rpartition(".")
        left_out = f", the last {_SHOWN} of {len(lines):,} lines" if len(lines) > _SHOWN else ""
        say(f"{slug.replace('.', ':', 1)} printed on {_STREAMS[stream]}{left_out}:", err=True)
        say("\n".join(f"  {escape(line, limit=500)}" for line in lines[-_SHOWN:]), err=True)
