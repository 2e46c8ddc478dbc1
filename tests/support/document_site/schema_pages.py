"""A page for each schema: what it describes, its members, and the schema itself at the path in its ``$id``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from verigate.reporting.addresses import NAMES

_SHOWN_VALUES = 12
_INDEX = """# Schemas

Every file that the gate reads or writes has a [JSON Schema](https://json-schema.org/draft/2020-12). `gate schema KIND`
prints one, offline. [Files](../files.md) explains when each is written.

| kind | file | what it is |
| --- | --- | --- |"""


def write_schema_pages(schemas: Path, staged: Path) -> list[str]:
    """Write a page and a copy for every schema in the folder ``schemas``; return the names of the pages."""
    folder = staged / "schemas"
    folder.mkdir(parents=True)
    documents = {path.name.split(".", 1)[0]: path for path in sorted(schemas.glob("*.schema.json"))}
    rows = []
    for kind, path in documents.items():
        document = json.loads(path.read_bytes())
        place = document["$id"].removeprefix(f"{NAMES}schemas/")
        assert "/" not in place, f"{path.name} is published elsewhere: {document['$id']}"
        (folder / place).write_bytes(path.read_bytes())
        (folder / f"{kind}.md").write_text("\n".join(_page(kind, place, document)) + "\n", "utf-8")
        rows.append(f"| [{kind}]({kind}.md) | {_cell(document['title'])} | {_cell(document.get('description', ''))} |")
    (folder / "index.md").write_text("\n".join([_INDEX, *rows]) + "\n", "utf-8")
    return list(documents)


def _page(kind: str, place: str, document: Mapping[str, Any]) -> Iterator[str]:
    yield f"# {kind}"
    yield f"\n{document['title']}: {document.get('description', '')}\n"
    yield f"`gate schema {kind}` prints this schema. Its name is `{document['$id']}`; nothing is there."
    yield f"[Download it]({place}).\n"
    if members := list(_members(document)):
        yield "| member | type | | what it is |\n| --- | --- | --- | --- |"
        yield from members
    yield f"\n## The schema\n\n```json\n{json.dumps(document, indent=2, ensure_ascii=False)}\n```"


def _members(document: Mapping[str, Any]) -> Iterator[str]:
    required = set(document.get("required", ()))
    for name, member in document.get("properties", {}).items():
        about = member if isinstance(member, dict) else {}
        needed = "required" if name in required else ""
        yield f"| `{name}` | {_cell(_type(about))} | {needed} | {_cell(about.get('description', ''))} |"


def _type(about: Mapping[str, Any]) -> str:
    if "const" in about:
        return f"`{json.dumps(about['const'])}`"
    if "enum" in about:
        shown = ", ".join(f"`{json.dumps(value)}`" for value in about["enum"])
        return shown if len(about["enum"]) <= _SHOWN_VALUES else f"one of {len(about['enum'])} values"
    if "$ref" in about:
        return f"`{about['$ref'].rsplit('/', 1)[-1]}`"
    named = about.get("type", "any")
    return " or ".join(named) if isinstance(named, list) else str(named)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
