"""The options of a project's ``.rspec``, without those that hide, repeat or end a run early.

RSpec reads them from a file that takes the place of the project's, the user's and ``.rspec-local``
(https://rspec.info/features/3-13/rspec-core/configuration/read-options-from-file/).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from code_adapter.subject_files import SubjectFiles

_VALUED = frozenset(
    {
        *("-f", "--format", "-o", "--out", "--deprecation-out", "--failure-exit-code", "--error-exit-code"),
        *("--drb-port", "--seed"),
    }
)
_BARE = frozenset({"--dry-run", "--only-failures", "-n", "--next-failure", "-X", "--drb", "-b", "--backtrace", "-w"})
_OPTIONAL = ("--fail-fast", "--bisect", "--profile", "-p", "--no-fail-fast")
_CHOOSING = frozenset({"-P", "--pattern", "--exclude-pattern", "-e", "--example", "-E", "--example-matches"})
"""What chooses files or examples by name: a run that names its files leaves it out."""

_TAG = re.compile(r"(?P<name>\w+)(?::(?P<value>\w+))?")
_TEMPLATE = "<%"


def write_options(files: SubjectFiles, folder: str, private: Path, *, by_name: bool = True) -> list[str]:
    """Write the project's options into ``private``; returns the arguments that select them.

    A file that is a template is left to RSpec. Without ``by_name`` options that choose by names are left out.
    """
    text = read_options(files, folder)
    if _TEMPLATE in text:
        return []
    place = private / "rspec.options"
    place.write_text("\n".join(map(shlex.quote, _keep(_split(text), by_name=by_name))) + "\n")
    return ["--options", str(place)]


def read_options(files: SubjectFiles, folder: str) -> str:
    """Return the text of ``.rspec``; empty without one."""
    path = f"{folder}/.rspec" if folder else ".rspec"
    return files.text(path) if path in files.known else ""


def list_tags(files: SubjectFiles, folder: str) -> Iterator[str]:
    """List the tags without which examples don't run, as a test has them: ``slow: true``, ``type: :api``."""
    words = _split(read_options(files, folder))
    for word, following in pairwise([*words, ""]):
        tag = following if word in {"-t", "--tag"} else word.partition("=")[2] if word.startswith("--tag=") else ""
        if tag and (found := _TAG.fullmatch(tag)):
            yield f"{found['name']}: :{found['value']}" if found["value"] else f"{found['name']}: true"


def _split(text: str) -> list[str]:
    words = []
    for line in text.splitlines():
        try:
            words += shlex.split(line, comments=True)
        except ValueError:
            words += line.split()
    return words


def _keep(words: Sequence[str], *, by_name: bool) -> Iterator[str]:
    valued = _VALUED if by_name else _VALUED | _CHOOSING
    skip = False
    for word in words:
        name = word.partition("=")[0]
        if skip:
            skip = False
        elif word in valued:
            skip = True
        elif not (name in valued or name in _BARE or name in _OPTIONAL or re.match(r"-[fo]\w", word)):
            yield word
