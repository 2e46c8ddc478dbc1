"""Whether anybody read which commit is the base, by the access times of what names commits in a ``.git``."""

from __future__ import annotations

import os

from verigate.subject.access_times import reset_access, was_read

_NAMING_COMMITS = ("HEAD", "packed-refs")
"""Who asks git about commits, or reads them without git, begins with these."""


class CommitNames:
    """The files of the checkout at ``path`` that name commits. Unless ``shows_reads``, they count as read."""

    def __init__(self, path: str, *, shows_reads: bool) -> None:
        places = (f"{path}/.git/{name}" for name in _NAMING_COMMITS)
        self._paths = [place for place in places if os.path.exists(place)]
        self._shows_reads = shows_reads
        for place in self._paths:
            reset_access(place)

    def were_read(self) -> bool:
        """Whether one of them may have been read, replaced or removed since."""
        return not self._shows_reads or any(map(was_read, self._paths))
