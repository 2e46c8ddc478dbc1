"""Add grants to config/sandbox.json; exceptions, variables and calls of linters to config/adapters.json.

The rest stays.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from verigate.domain.grants import Grant, GrantKind
from verigate.domain.profile import SANDBOX_FILE
from verigate.errors import ConfigError, Fault
from verigate.formats import strict_json
from verigate.integrations.setup.declared_tests import ADAPTERS_FILE

_SCHEMAS = "https://verigate.invalid/schemas"


def merge_grants(content: bytes | None, adapter: str, grants: Sequence[Grant]) -> bytes:
    """Return the content of config/sandbox.json with ``grants`` added for ``adapter``.

    A network, path or variable that is open already is left as it is. Raises ConfigError for a file of another shape.
    """
    document = _read(content, SANDBOX_FILE, "sandbox")
    entry = _member(document, adapter, {}, SANDBOX_FILE)
    for grant in grants:
        if grant.kind is GrantKind.NETWORK:
            if entry.get("network", {}).get("access") != grant.what:
                entry["network"] = {"access": grant.what, "reason": grant.reason}
            continue
        if grant.kind is GrantKind.TIME:
            entry["time"] = {"seconds": int(grant.what), "reason": grant.reason}
            continue
        listed = _member(entry, grant.kind.value, [], SANDBOX_FILE)
        name = "path" if grant.kind is GrantKind.BIND else "name"
        if not any(isinstance(item, dict) and item.get(name) == grant.what for item in listed):
            mode = {"mode": grant.mode} if grant.mode and grant.mode != "ro" else {}
            listed.append({name: grant.what, **mode, "reason": grant.reason})
    return _render(document)


def merge_deselected(content: bytes | None, adapter: str, tests: Mapping[str, str]) -> bytes:
    """Return the content of config/adapters.json with ``tests`` (id -> reason) deselected.

    Raises ConfigError for a file of another shape.
    """
    document = _read(content, ADAPTERS_FILE, "adapters")
    listed = _member(_member(document, adapter, {}, ADAPTERS_FILE), "deselect", [], ADAPTERS_FILE)
    known = {item.get("test") for item in listed if isinstance(item, dict)}
    listed.extend({"test": test, "reason": reason} for test, reason in tests.items() if test not in known)
    return _render(document)


def merge_excluded(content: bytes | None, adapter: str, tools: Mapping[str, str]) -> bytes:
    """Return the content of config/adapters.json with ``tools`` (name -> reason) excluded.

    Raises ConfigError for a file of another shape.
    """
    document = _read(content, ADAPTERS_FILE, "adapters")
    listed = _member(_member(document, adapter, {}, ADAPTERS_FILE), "excluded", [], ADAPTERS_FILE)
    known = {item.get("what") for item in listed if isinstance(item, dict)}
    listed.extend({"what": what, "why": why} for what, why in tools.items() if what not in known)
    return _render(document)


def merge_environment(content: bytes | None, adapter: str, variables: Mapping[str, str]) -> bytes:
    """Return the content of config/adapters.json with ``variables`` (name -> value) for the project's programs.

    One that is set already keeps its value. Raises ConfigError for a file of another shape.
    """
    document = _read(content, ADAPTERS_FILE, "adapters")
    known = _member(_member(document, adapter, {}, ADAPTERS_FILE), "environment", {}, ADAPTERS_FILE)
    known |= {name: value for name, value in variables.items() if name not in known}
    return _render(document)


def merge_linter_calls(
    content: bytes | None, adapter: str, calls: Mapping[str, Sequence[Sequence[str]]]
) -> tuple[bytes, frozenset[str]]:
    """Return the content of config/adapters.json with ``calls`` (linter -> arguments of each call), and which are new.

    A linter that has calls already keeps them, and none is added where commands for lint are declared: these run
    instead. Raises ConfigError for a file of another shape.
    """
    document = _read(content, ADAPTERS_FILE, "adapters")
    entry = _member(document, adapter, {}, ADAPTERS_FILE)
    known = {} if "lint" in entry else _member(entry, "linter_calls", {}, ADAPTERS_FILE)
    added = frozenset() if "lint" in entry else frozenset(calls) - frozenset(known)
    known |= {tool: [list(call) for call in calls[tool]] for tool in sorted(added)}
    return _render(document), added


def _read(content: bytes | None, file: str, kind: str) -> dict[str, Any]:
    if content is None:
        return {"$schema": f"{_SCHEMAS}/{kind}.v1.json"}
    try:
        document = strict_json.loads(content)
    except strict_json.StrictJsonError as problem:
        raise ConfigError([problem.to_fault(file)]) from None
    if not isinstance(document, dict):
        raise ConfigError([Fault("this isn't an object", file=file)])
    return document


def _member(holder: dict[str, Any], key: str, empty: Any, file: str) -> Any:
    found = holder.setdefault(key, empty)
    if not isinstance(found, type(empty)):
        raise ConfigError([Fault(f"{key!r} has another shape than expected", file=file)])
    return found


def _render(document: Mapping[str, Any]) -> bytes:
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")
