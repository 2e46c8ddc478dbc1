"""Find, read and check the API's description: OpenAPI 3.0 and 3.1, Swagger 2.0, in JSON or YAML.

Sources: OpenAPI Specification 3.1.1 and 3.0.4, Swagger 2.0 (https://spec.openapis.org/).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from api_adapter.client import ApiCall, ApiClient
from verigate.sdk import AdapterError, Request
from verigate.sdk.scopes import pointer
from verigate.sdk.subject import find_repository, is_regular, read_file, resolve_base

if TYPE_CHECKING:
    from api_adapter.settings import Settings

Dialect = Literal["2.0", "3.0", "3.1"]
MAX_DOCUMENT_BYTES = 16 << 20
_MAX_NODES = 1_000_000
_MAX_FOLLOWED = 32

_FILES = tuple(
    f"{folder}{name}.{suffix}"
    for folder in ("", "docs/", "doc/", "api/", "spec/", "openapi/")
    for name in ("openapi", "swagger")
    for suffix in ("json", "yaml", "yml")
)
ON_SERVICE = ("/openapi.json", "/openapi.yaml", "/swagger.json", "/v3/api-docs", "/v2/api-docs", "/api-docs")
"""Paths at which frameworks serve their description: FastAPI, Spring's springdoc and springfox, swagger-ui."""


class Document(Struct, frozen=True):
    """An API description. ``place`` is its path in the repository, or on the service if ``served``.

    ``digest`` is the SHA-256 of its content as canonical JSON, equal for JSON and YAML.
    """

    value: Mapping[str, Any]
    dialect: Dialect
    place: str
    served: bool
    digest: str

    def follow(self, node: Any) -> Any:
        """Resolve ``node`` if it is a reference. Raises AdapterError for a broken or external reference."""
        for _ in range(_MAX_FOLLOWED):
            if not isinstance(node, dict) or not isinstance(node.get("$ref"), str):
                return node
            node = self.at(node["$ref"])
        raise AdapterError("a reference refers to itself", where=f"{self.place} {node['$ref']}")

    def at(self, reference: str) -> Any:
        """Return the value at a reference. Raises AdapterError."""
        if not reference.startswith("#"):
            raise AdapterError(
                "a reference points outside the document",
                where=f"{self.place} {reference}",
                hint="bundle it into one file, for instance with redocly bundle",
            )
        try:
            return pointer.resolve(self.value, reference[1:])
        except (LookupError, ValueError) as error:
            raise AdapterError("a reference points to a missing value", where=f"{self.place} {reference}") from error


def find_document(request: Request, settings: Settings, client: ApiClient | None) -> Document | None:
    """Find the configured description, else the first at a usual path in the repository, then on the service.

    Raises AdapterError if the configured one is missing, or one can't be read.
    """
    if settings.openapi is not None and not settings.openapi.startswith("/"):
        raw = _read_file(request.repo_root, settings.openapi)
        if raw is None:
            raise AdapterError("no such file in the repository", where=settings.openapi, hint="fix the key openapi")
        return parse(raw, settings.openapi)
    if settings.openapi is not None:
        found = fetch_document(client, settings.openapi) if client else None
        if found is None:
            raise AdapterError("the service doesn't serve its description there", where=settings.openapi)
        return found
    for place in _FILES:
        if (raw := _read_file(request.repo_root, place)) is not None:
            return parse(raw, place)
    return find_served_document(settings, client)


def find_served_document(settings: Settings, client: ApiClient | None) -> Document | None:
    """Find the description that the running service serves."""
    if client is None:
        return None
    if settings.reported:
        return fetch_document(client, settings.reported)
    for place in ON_SERVICE:
        # Some services respond to every path with 200, so ignore what isn't a description.
        with contextlib.suppress(AdapterError):
            if (found := fetch_document(client, place)) is not None:
                return found
    return None


def fetch_document(client: ApiClient, place: str) -> Document | None:
    """Fetch the description at a path of the service; None unless the status is 200. Raises AdapterError."""
    answer = client.call(ApiCall("GET", place))
    if answer.status != 200:
        return None
    if answer.truncated:
        raise AdapterError("the service's description exceeds the size limit of a body", where=place)
    if place not in ON_SERVICE or answer.media_type.endswith(("json", "yaml")):
        return parse(answer.body, place, served=True)
    return None


def read_base_document(request: Request, settings: Settings) -> Document | None:
    """Read the description at the task's base; None if there was no readable one.

    Searches the same paths as ``find_document``, so that moving the file in the same change hides nothing.
    """
    if request.base is None or (settings.openapi or "").startswith("/"):
        return None
    places = (settings.openapi,) if settings.openapi else _FILES
    repository = find_repository(request)
    if repository is None:
        return None
    base = resolve_base(request, repository)
    there = {*repository.entries("ls-tree", "--name-only", "-z", base, "--", *places)}
    for place in places:
        if os.fsencode(place) in there:
            # An unreadable description made no promise.
            with contextlib.suppress(AdapterError):
                return parse(repository.git("cat-file", "blob", f"{base}:./{place}").stdout, f"{place} at the base")
            return None
    return None


def _read_file(root: Path, place: str) -> bytes | None:
    """Read a file; None if it is missing. Raises AdapterError if it is outside the repository or unreadable."""
    pure = PurePosixPath(place)
    if ".." in pure.parts or not (root / pure).parent.resolve().is_relative_to(root.resolve()):
        raise AdapterError("the description's path is outside the repository", where=place)
    return read_file(root, place, MAX_DOCUMENT_BYTES) if is_regular(root, place) else None


def parse(raw: bytes, place: str, *, served: bool = False) -> Document:
    """Parse a description. Raises AdapterError for anything else."""
    value = _parse_value(raw, place)
    if not isinstance(value, dict):
        raise AdapterError("is not an API description: not an object", where=place)
    version = str(value.get("openapi", value.get("swagger", "")))
    dialect: Dialect
    if version == "2.0":
        dialect = "2.0"
    elif version.startswith("3.0"):
        dialect = "3.0"
    elif version.startswith("3.1"):
        dialect = "3.1"
    else:
        raise AdapterError(
            f"unsupported version of an API description: {version!r}",
            where=place,
            hint="use OpenAPI 3.0 or 3.1, or Swagger 2.0",
        )
    if not isinstance(value.get("paths", {}), dict):
        raise AdapterError("is not an API description: paths is not an object", where=f"{place} /paths")
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return Document(value, dialect, place, served, hashlib.sha256(canonical.encode("utf-8", "replace")).hexdigest())


def _parse_value(raw: bytes, place: str) -> Any:
    text = raw.decode("utf-8", "replace").removeprefix("\ufeff")
    try:
        return json.loads(text)
    except RecursionError as error:
        raise AdapterError("is nested too deeply", where=place) from error
    except ValueError:
        if place.endswith(".json"):
            raise AdapterError("is not JSON", where=place) from None
    import yaml

    try:
        value = yaml.load(text, Loader=_make_loader())  # noqa: S506 - a safe loader, with fewer types still
        return _to_json(value)
    except (yaml.YAMLError, RecursionError) as error:
        raise AdapterError(f"is neither JSON nor YAML: {str(error)[:300]}", where=place) from error
    except _TooLargeError:
        raise AdapterError("is too large after expanding its aliases", where=place) from None


def _make_loader() -> Any:
    """Make a loader with the JSON types of YAML 1.2 only: a date stays text, as in the JSON form."""
    import yaml

    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    resolvers = {
        first: [(tag, pattern) for tag, pattern in known if tag != "tag:yaml.org,2002:timestamp"]
        for first, known in base.yaml_implicit_resolvers.items()
    }
    return type("PlainLoader", (base,), {"yaml_implicit_resolvers": resolvers})


class _TooLargeError(Exception):
    """Nested aliases expand to more nodes than fit in memory."""


def _to_json(value: Any) -> Any:
    """Copy to plain JSON values: text keys, no shared nodes. Raises _TooLargeError."""
    budget = iter(range(_MAX_NODES))
    return _copy(value, budget)


def _copy(value: Any, budget: Iterator[int]) -> Any:
    if next(budget, None) is None:
        raise _TooLargeError
    if isinstance(value, dict):
        return {_key(key): _copy(item, budget) for key, item in value.items()}
    if isinstance(value, list):
        return [_copy(item, budget) for item in value]
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def _key(key: Any) -> str:
    return str(key).lower() if isinstance(key, bool) else str(key)
