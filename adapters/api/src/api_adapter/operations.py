"""Read the documented endpoints of a description of any version."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import urlsplit

from msgspec import Struct

from verigate.sdk.scopes import pointer

if TYPE_CHECKING:
    from api_adapter.document import Document

METHODS = ("get", "head", "post", "put", "patch", "delete", "options", "trace")
Place = Literal["path", "query", "header", "cookie"]
Security = tuple[tuple[str, ...], ...]
_UNSET = object()


class Parameter(Struct, frozen=True):
    """A documented parameter. ``schema`` is as in the document; ``explode`` and ``style`` are OpenAPI 3's."""

    name: str
    place: Place
    required: bool
    schema: Any
    style: str
    explode: bool
    examples: tuple[Any, ...] = ()


class Body(Struct, frozen=True):
    """A request body in the first media type that can be generated."""

    media_type: str
    schema: Any
    required: bool
    examples: tuple[Any, ...] = ()


class Documented(Struct, frozen=True):
    """A documented response: media type -> schema (None if it has none); ``at`` is its JSON pointer."""

    content: Mapping[str, Any]
    at: str


class Operation(Struct, frozen=True):
    """One documented endpoint. ``path`` has the server's prefix; ``security`` are alternatives, each a set of schemes.

    Without alternatives, or with an empty one, it needs no credentials.
    """

    method: str
    path: str
    at: str
    parameters: tuple[Parameter, ...]
    body: Body | None
    responses: Mapping[str, Documented]
    security: Security

    @property
    def id(self) -> str:
        """``GET /items/{id}``."""
        return f"{self.method} {self.path}"

    @property
    def protected(self) -> bool:
        """Whether the document requires credentials."""
        return bool(self.security) and all(self.security)


def read_operations(document: Document, base_path: str | None = None) -> tuple[Operation, ...]:
    """Read the documented endpoints, sorted by path and method. Raises AdapterError for broken references.

    ``base_path`` replaces the path of the document's server as prefix of each path.
    """
    prefix = path_prefix(document) if base_path is None else base_path.rstrip("/")
    found = [
        _read_operation(document, prefix, path, method, item)
        for path, raw in document.value.get("paths", {}).items()
        if isinstance(path, str) and path.startswith("/")
        for item in [document.follow(raw)]
        if isinstance(item, dict)
        for method in METHODS
        if isinstance(item.get(method), dict)
    ]
    return tuple(sorted(found, key=lambda operation: (operation.path, operation.method)))


def path_prefix(document: Document) -> str:
    """Return the path of the first server (or Swagger's basePath) without a trailing slash."""
    if document.dialect == "2.0":
        base = document.value.get("basePath")
        return base.rstrip("/") if isinstance(base, str) else ""
    servers = document.value.get("servers")
    first = servers[0] if isinstance(servers, list) and servers else None
    url = first.get("url") if isinstance(first, dict) else None
    if not isinstance(url, str) or "{" in url:
        return ""
    try:
        return urlsplit(url).path.rstrip("/")
    except ValueError:  # brackets that hold no address
        return ""


def _read_operation(document: Document, prefix: str, path: str, method: str, item: Mapping[str, Any]) -> Operation:
    raw = item[method]
    at = pointer.join("paths", path, method)
    merged: dict[tuple[str, str], Mapping[str, Any]] = {}
    for holder in (item, raw):
        listed = holder.get("parameters")
        for entry in listed if isinstance(listed, list) else ():
            parameter = document.follow(entry)
            if isinstance(parameter, dict) and "name" in parameter:
                merged[str(parameter.get("in")), str(parameter.get("name"))] = parameter
    for name in re.findall(r"\{([^{}/]+)\}", path):
        # A description must declare path parameters, but not every one does.
        merged.setdefault(("path", name), {"name": name, "in": "path", "required": True, "schema": {"type": "string"}})
    body = _read_body(document, raw) if document.dialect != "2.0" else _read_swagger_body(document, raw, merged)
    security = raw.get("security", document.value.get("security", _UNSET))
    return Operation(
        method=method.upper(),
        path=prefix + path,
        at=at,
        parameters=tuple(_read_parameters(merged)),
        body=body,
        responses=_read_responses(document, raw, at),
        security=_read_security(security),
    )


def _read_parameters(merged: Mapping[tuple[str, str], Mapping[str, Any]]) -> Iterator[Parameter]:
    for (place, name), raw in sorted(merged.items()):
        if place not in {"path", "query", "header", "cookie"}:
            continue
        schema = raw.get("schema")
        if schema is None and isinstance(raw.get("content"), dict):
            schema = next((media.get("schema") for media in raw["content"].values() if isinstance(media, dict)), None)
        if schema is None:
            schema = {key: value for key, value in raw.items() if key not in {"name", "in", "required", "description"}}
        style = str(raw.get("style") or ("form" if place in {"query", "cookie"} else "simple"))
        explode = bool(raw.get("explode", style == "form"))
        if "type" in raw:  # Swagger 2.0
            explode = raw.get("collectionFormat") == "multi"
        yield Parameter(
            name,
            cast("Place", place),
            place == "path" or bool(raw.get("required")),
            schema,
            style,
            explode,
            _read_examples(raw),
        )


def _read_examples(raw: Mapping[str, Any]) -> tuple[Any, ...]:
    found = [raw["example"]] if "example" in raw else []
    named = raw.get("examples")
    if isinstance(named, dict):
        found += [entry["value"] for entry in named.values() if isinstance(entry, dict) and "value" in entry]
    return tuple(found)


def _read_body(document: Document, raw: Mapping[str, Any]) -> Body | None:
    given = document.follow(raw.get("requestBody"))
    content = given.get("content") if isinstance(given, dict) else None
    if not isinstance(content, dict) or not content:
        return None
    names = sorted(content, key=lambda name: (not is_json(name), name != "application/x-www-form-urlencoded", name))
    media = content[names[0]] if isinstance(content[names[0]], dict) else {}
    return Body(names[0], media.get("schema"), bool(given.get("required")), _read_examples(media))


def _read_swagger_body(
    document: Document, raw: Mapping[str, Any], merged: Mapping[tuple[str, str], Mapping[str, Any]]
) -> Body | None:
    consumes = raw.get("consumes") or document.value.get("consumes") or ["application/json"]
    for (place, _), parameter in merged.items():
        if place == "body":
            return Body(str(consumes[0]), parameter.get("schema"), bool(parameter.get("required")))
    fields = {name: parameter for (place, name), parameter in merged.items() if place == "formData"}
    if not fields:
        return None
    required = sorted(name for name, parameter in fields.items() if parameter.get("required"))
    media = "multipart/form-data" if "multipart/form-data" in consumes else "application/x-www-form-urlencoded"
    properties = {
        name: {key: value for key, value in parameter.items() if key not in {"name", "in", "required", "description"}}
        for name, parameter in fields.items()
    }
    return Body(media, {"type": "object", "properties": properties, "required": required}, bool(required))


def _read_responses(document: Document, raw: Mapping[str, Any], at: str) -> dict[str, Documented]:
    found: dict[str, Documented] = {}
    given = raw.get("responses")
    for status, entry in given.items() if isinstance(given, dict) else ():
        response = document.follow(entry)
        if not isinstance(response, dict):
            continue
        place = f"{at}{pointer.join('responses', status)}"
        content: dict[str, Any] = {}
        if document.dialect == "2.0":
            produces = raw.get("produces") or document.value.get("produces") or ["application/json"]
            if "schema" in response:
                content = {str(name): response["schema"] for name in produces}
        elif isinstance(response.get("content"), dict):
            content = {
                str(name): media.get("schema") for name, media in response["content"].items() if isinstance(media, dict)
            }
        found[str(status).upper() if status != "default" else "default"] = Documented(content, place)
    return found


def _read_security(raw: Any) -> Security:
    if not isinstance(raw, list):
        return ()
    return tuple(tuple(sorted(map(str, entry))) for entry in raw if isinstance(entry, dict))


def is_json(media_type: str) -> bool:
    """Whether a media type is JSON. Source: RFC 6839, section 3.1 (``+json``)."""
    name = media_type.partition(";")[0].strip().lower()
    return name == "application/json" or name.endswith("+json") or name == "text/json"
