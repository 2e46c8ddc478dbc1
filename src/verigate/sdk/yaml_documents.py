"""Load YAML that somebody else wrote: without constructors, and bounded in size."""

from __future__ import annotations

from typing import Any

MAX_CHARACTERS = 1 << 20
MAX_NODES = 200_000


def load_documents(source: str) -> list[Any]:
    """Load every document of a YAML text, which may be none. Raises ValueError."""
    import yaml

    if len(source) > MAX_CHARACTERS:
        raise ValueError(f"longer than {MAX_CHARACTERS} characters")
    try:
        documents = list(yaml.safe_load_all(source))
    except (yaml.YAMLError, RecursionError, ValueError, TypeError) as error:
        raise ValueError(f"no YAML: {' '.join(str(error).split())[:200]}") from error
    # Aliases make a small text a huge tree; whoever walks it must be able to end.
    count, stack = 0, list[Any](documents)
    while stack:
        count += 1
        if count > MAX_NODES:
            raise ValueError(f"more than {MAX_NODES} values")
        current = stack.pop()
        if isinstance(current, dict):
            stack.extend(current.values())
        elif isinstance(current, list):
            stack.extend(current)
    return documents
