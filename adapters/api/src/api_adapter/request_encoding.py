"""Encode an input as a request: place and serialise each value.

Sources: OpenAPI 3.1.1 section 4.12 (style values), Swagger 2.0 (collectionFormat), RFC 3986.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from api_adapter.client import ApiCall
from api_adapter.operations import Operation, Parameter, is_json
from api_adapter.request_inputs import Input
from api_adapter.schemes import Credential

_SEPARATORS = {"spaceDelimited": " ", "pipeDelimited": "|"}


def encode_call(operation: Operation, given: Input, credentials: tuple[Credential, ...] = ()) -> ApiCall:
    """Make the request with the values of ``given`` and the credentials."""
    path, query, headers, cookies = operation.path, [], {}, []
    for parameter in operation.parameters:
        value = given.values.get(f"{parameter.place}:{parameter.name}")
        if parameter.place == "path":
            path = path.replace(f"{{{parameter.name}}}", quote(_join(parameter, value), safe="") or "-")
        elif value is None:
            continue
        elif parameter.place == "query":
            query += list(_encode_query(parameter, value))
        elif parameter.place == "header":
            headers[parameter.name] = _join(parameter, value)
        else:
            cookies.append(f"{parameter.name}={quote(_join(parameter, value), safe='')}")
    for credential in credentials:
        if credential.place == "query":
            query.append((credential.name, credential.value))
        elif credential.place == "cookie":
            cookies.append(f"{credential.name}={quote(credential.value, safe='')}")
        else:
            headers[credential.name] = credential.value
    if cookies:
        headers["Cookie"] = "; ".join(cookies)
    body = _encode_body(operation, given)
    if body is not None and operation.body is not None:
        headers["Content-Type"] = operation.body.media_type
    target = quote(path, safe="/%:@!$&'()*+,;=-._~")
    return ApiCall(
        operation.method, f"{target}?{urlencode(query, quote_via=quote)}" if query else target, headers, body
    )


def _encode_query(parameter: Parameter, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, list) and parameter.explode:
        yield from ((parameter.name, _to_text(item)) for item in value)
    elif isinstance(value, dict) and parameter.style == "deepObject":
        yield from ((f"{parameter.name}[{key}]", _to_text(item)) for key, item in value.items())
    elif isinstance(value, dict) and parameter.explode:
        yield from ((str(key), _to_text(item)) for key, item in value.items())
    else:
        yield parameter.name, _join(parameter, value)


def _join(parameter: Parameter, value: Any) -> str:
    separator = _SEPARATORS.get(parameter.style, ",")
    if isinstance(value, list):
        return separator.join(map(_to_text, value))
    if isinstance(value, dict):
        pair = "=" if parameter.explode else ","
        return separator.join(f"{key}{pair}{_to_text(item)}" for key, item in value.items())
    return _to_text(value)


def _to_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        return json.dumps(value, separators=(",", ":"))
    return str(value)


def _encode_body(operation: Operation, given: Input) -> bytes | None:
    if operation.body is None or not given.has_body:
        return None
    if is_json(operation.body.media_type):
        return json.dumps(given.body, ensure_ascii=False).encode("utf-8", "replace")
    fields = given.body if isinstance(given.body, Mapping) else {}
    pairs = [(str(key), _to_text(item)) for key, value in fields.items() for item in _to_items(value)]
    return urlencode(pairs, quote_via=quote).encode()


def _to_items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
