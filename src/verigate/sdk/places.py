"""Places in documents and in a repository, as the gate reads them: JSON pointers, and the paths that a scope names."""

from __future__ import annotations

from verigate.domain.scope_paths import named_by
from verigate.formats import pointer

__all__ = ["named_by", "pointer"]
