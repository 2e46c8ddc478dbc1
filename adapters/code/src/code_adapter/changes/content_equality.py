"""Whether two versions of a settings, data or text file differ in nothing but layout.

Data is compared by a parser: YAML event by event, so that aliases can't blow up, JSON, TOML and INI value by value. Of
texts the words are compared, without the marks that formatters of Markdown change. What can't be compared is unknown.
"""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

from code_adapter.changes.kinds import classify
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import is_comment, parse, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.syntax.changes import ChangedFile

Content = Literal["equal", "differs", "unknown"]

_MOST_BYTES = 1 << 20
_MOST_YAML_BYTES = 1 << 18
"""PyYAML's parser reads about 100 KB a second."""

_FOR_CHECKERS = re.compile(
    r"(?:#|//|/\*+)\s*(?:@ts-|@flow\b|eslint-|"
    r"[a-z]+-ignore\b|istanbul\b|c8\b|noqa\b|type:|pragma\b|nosec\b|nolint\b|noinspection\b|NOSONAR\b|rubocop:|"
    r"(?:pylint|ruff|mypy|pyright|flake8|isort|fmt|yapf|cython|phpcs|phpstan|psalm)\b ?[:-])"
)
"""Comments that a checker reads."""

_RULE = re.compile(r"^[\s|:]*(?:[=*_~^+-][\s|:]*){2,}$|^=$")
"""A line that is an underline, a rule, or the border of a table."""

_BULLET = re.compile(r"^\s*[-*+](?=\s)")


def compare_content(file: ChangedFile) -> Content:
    """Compare both versions; a file that is new, gone, or no text is unknown.

    Of programs the comments for checkers alone are compared.
    """
    before, after = file.before, file.after
    if before is None or after is None or before.content is None or after.content is None:
        return "unknown"
    grammar = grammar_of(after.path)
    if grammar is not None and language_of(after.path) is not None:
        marks = {_list_for_checkers(parse(each, grammar).root) for each in (before.content, after.content)}
        return "differs" if len(marks) > 1 else "unknown"
    read = _find_reader(after.path)
    if read is None or _find_reader(before.path) is not read or before.mode != after.mode:
        return "unknown"
    most = _MOST_YAML_BYTES if read is _read_yaml else _MOST_BYTES
    if max(len(before.content), len(after.content)) > most or b"\0" in before.content + after.content:
        return "unknown"
    try:
        old, new = (read(content.decode("utf-8")) for content in (before.content, after.content))
    except (ValueError, RecursionError, configparser.Error):
        return "unknown"
    return "equal" if old == new else "differs"


def _list_for_checkers(root: Node) -> tuple[str, ...]:
    """List the comments that checkers read."""
    comments = (text_of(node).strip() for node in walk(root) if is_comment(node))
    return tuple(comment for comment in comments if _FOR_CHECKERS.match(comment))


def _find_reader(path: str) -> Callable[[str], Any] | None:
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in _READERS:
        return _READERS[suffix]
    return _read_words if classify(path) == "docs" and language_of(path) is None else None


def _read_yaml(text: str) -> list[tuple[Any, ...]]:
    """Read the events of YAML, with the type that each plain value has."""
    import yaml  # few changes are of layout alone

    loader = yaml.SafeLoader(text)
    try:
        return [_describe(loader, event) for event in _list_events(loader)]
    except (yaml.YAMLError, TypeError, KeyError) as problem:
        raise ValueError from problem
    finally:
        loader.dispose()


def _list_events(loader: Any) -> Iterator[Any]:
    while loader.check_event():
        yield loader.get_event()


def _describe(loader: Any, event: Any) -> tuple[Any, ...]:
    import yaml

    tag = getattr(event, "tag", None)
    if isinstance(event, yaml.ScalarEvent):
        tag = tag or loader.resolve(yaml.ScalarNode, event.value, event.implicit)
    return type(event).__name__, getattr(event, "anchor", None), tag, getattr(event, "value", None)


def _read_json(text: str) -> Any:
    """Read JSON with the order of its keys, and numbers as they are written."""
    return json.loads(
        text, object_pairs_hook=lambda pairs: ("{}", pairs), parse_int=_as_written, parse_float=_as_written
    )


def _as_written(number: str) -> tuple[str, str]:
    return "number", number


def _read_toml(text: str) -> Any:
    return _with_types(tomllib.loads(text))


def _with_types(value: Any) -> Any:
    """Return values with their types: in Python true is 1, and 1 is 1.0."""
    if isinstance(value, Mapping):
        return {key: _with_types(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_with_types(inner) for inner in value]
    return type(value).__name__, repr(value)


def _read_ini(text: str) -> dict[str, Any]:
    parser = configparser.RawConfigParser(allow_no_value=True, default_section="")
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(text)
    return {section: parser.items(section) for section in parser.sections()}


def _read_words(text: str) -> list[str]:
    """Read the words of a text; bullets and emphasis are spelled in one way, as formatters of Markdown do."""
    lines = (_RULE.sub(lambda rule: rule[0].strip(" |:")[:1], _BULLET.sub("-", line)) for line in text.splitlines())
    words = (word for line in lines for word in re.split(r"[\s|]+", line) if word)
    return [_spell_emphasis(word) for word in words]


def _spell_emphasis(word: str) -> str:
    """Write stars for the lines that ``_emphasis_`` begins and ends with."""
    inner = word.strip("_")
    start = word.find(inner) if inner else 0
    return "*" * start + inner + "*" * (len(word) - start - len(inner)) if inner else word


_READERS: Mapping[str, Callable[[str], Any]] = {
    ".yaml": _read_yaml,
    ".yml": _read_yaml,
    ".json": _read_json,
    ".toml": _read_toml,
    ".ini": _read_ini,
    ".cfg": _read_ini,
}
