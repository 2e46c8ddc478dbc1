"""Where the exit code of a check is lost in a shell: in a pipe, in the background, by lines that follow."""

from __future__ import annotations

import re
from collections.abc import Iterator

from code_adapter.integrity.tools.commands import join_lines, judges

_PIPED = re.compile(r"(?<!\|)\|(?![|&])")
_BEHIND = re.compile(r"(?<![&>|])&\s*(?:$|[^&>\s])")
_ENDS = re.compile(r"^\s*set\s+(?:-\w*e|-o\s+errexit)|^#!\S*(?:/env\s+-S\s+\w+|/\w*sh)\s+-\w*e", re.MULTILINE)
_PIPEFAIL = re.compile(r"\bpipefail\b|\bPIPESTATUS\b")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


def list_lost(script: str, *, pipefail: bool = False) -> Iterator[str]:
    """List how lines of a script lose the exit code of a check that they run.

    ``pipefail``: whether the shell takes the failure of a pipe's first part for that of the pipe.
    """
    script = join_lines(script)
    pipefail = pipefail or _PIPEFAIL.search(script) is not None
    for line in script.splitlines():
        plain = _QUOTED.sub("''", line.partition(" #")[0])
        if not judges(line) or line.lstrip().startswith("#"):
            continue
        # What stands in the last part of a pipe has its say.
        piped = _PIPED.split(plain)
        if not pipefail and any(judges(part) for part in piped[:-1]):
            yield "its failure is lost in a pipe"
        if _BEHIND.search(plain) and "wait" not in script:
            yield "it runs in the background"


def goes_on(script: str) -> bool:
    """Whether a check that isn't in the last line may fail without the script's end, if nothing stops the shell."""
    lines = [line for line in join_lines(script).splitlines() if line.strip() and not line.lstrip().startswith("#")]
    chained = re.compile(r"\|\|\s*(?:exit|return|die|fail)\b|&&\s*$")
    return any(judges(line) and not chained.search(line) for line in lines[:-1])


def ends_at_failure(script: str) -> bool:
    """Whether the script ends at the first command that fails, as it says itself."""
    return _ENDS.search(script) is not None
