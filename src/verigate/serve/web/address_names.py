"""Names in addresses."""

from __future__ import annotations

from starlette.convertors import Convertor, register_url_convertor

NAME = "[A-Za-z0-9_-]{1,80}"
"""A name of a repository, a task or a run: no dot and no slash in it."""


class _Name(Convertor[str]):
    regex = NAME

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


def register_names() -> None:
    """Let routes say ``{task:name}``."""
    register_url_convertor("name", _Name())
