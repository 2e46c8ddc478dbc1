"""What `gate adapters` says of a repository: adapters and engines, asked by a process of its own."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from verigate.errors import GateError
from verigate.integrations.mcp.gate_call import call_gate
from verigate.serve.repositories import ServedRepository
from verigate.serve.web.rendering import name_moment

_DERIVED = ("supportsSkills",)
"""Capabilities that follow from what an engine has, and aren't declared."""

_KEPT_S = 30.0
"""How long what `gate adapters` said is shown."""


class CapabilityRow(Struct, frozen=True):
    """A capability, the adapter that serves it, and those that could."""

    name: str
    served_by: str
    origin: str
    shadowed: tuple[str, ...]


class AdapterRow(Struct, frozen=True):
    """An adapter; ``flags`` are what its manifest asks of the sandbox."""

    name: str
    version: str
    description: str
    origin: str
    folder: str
    digest: str
    capabilities: tuple[str, ...]
    flags: tuple[str, ...]


class EngineRow(Struct, frozen=True):
    """An engine of verifiers. ``flags`` are the capabilities that are true, of all that are declared or ``derived``.

    ``options_schema`` is JSON Schema of its options in ``engines.json``, None if it declares none; ``log_rules`` are
    the rules that its output is read by; ``document`` says when to use it; ``problem`` why it can't be used.
    """

    name: str
    label: str
    origin: str
    flags: tuple[str, ...]
    capabilities: Mapping[str, Any]
    derived: tuple[str, ...]
    models: tuple[str, ...]
    document: str
    options_schema: Any
    log_rules: tuple[Any, ...]
    problem: str


class AdaptersPage(Struct, frozen=True):
    """The adapters and engines of a repository. ``asked`` is when the gate was asked."""

    repository: str
    repositories: tuple[str, ...]
    asked: str
    problem: str
    warnings: tuple[str, ...] = ()
    capabilities: tuple[CapabilityRow, ...] = ()
    adapters: tuple[AdapterRow, ...] = ()
    engines: tuple[EngineRow, ...] = ()


class AdapterListings:
    """What `gate adapters` said of each repository a moment ago: each is asked once at a time.

    ``gate`` starts the gate, as an argument vector.
    """

    def __init__(self, gate: Sequence[str], environ: Mapping[str, str]) -> None:
        self._gate = tuple(gate)
        self._environ = {**environ, "NO_COLOR": "1"}
        self._kept: dict[str, tuple[float, AdaptersPage]] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def find(self, repository: ServedRepository, names: tuple[str, ...], *, again: bool = False) -> AdaptersPage:
        """Return adapters and engines of a repository, one of ``names``.

        ``again`` asks the gate even if it was asked just now.
        """
        called = time.monotonic()
        async with self._locks.setdefault(repository.name, asyncio.Lock()):
            asked, page = self._kept.get(repository.name, (0.0, None))
            # Who waited while another asked has an answer that is new enough.
            if page is None or (asked < called if again else time.monotonic() - asked > _KEPT_S):
                began = time.monotonic()
                page = await self._ask(repository, names)
                self._kept[repository.name] = (began, page)
        return page

    async def _ask(self, repository: ServedRepository, names: tuple[str, ...]) -> AdaptersPage:
        moment = name_moment(int(time.time()))

        async def heard(_line: str) -> None:
            """Warnings are in the document as well."""

        try:
            done = await call_gate((*self._gate, "adapters", "list", "--json"), repository.root, self._environ, heard)
            document = json.loads(done.out)
            if done.code != 0:
                return AdaptersPage(repository.name, names, moment, read_error(document))
            return _read_adapters(document, repository.name, names, moment)
        except (GateError, AttributeError, LookupError, TypeError, ValueError) as problem:
            return AdaptersPage(repository.name, names, moment, f"gate adapters gave no answer: {problem}")


def _read_adapters(document: Mapping[str, Any], name: str, names: tuple[str, ...], moment: str) -> AdaptersPage:
    capabilities = tuple(
        CapabilityRow(each, found["served_by"], found["origin"], tuple(item["name"] for item in found["shadowed"]))
        for each, found in document["capabilities"].items()
    )
    return AdaptersPage(
        name,
        names,
        moment,
        "",
        tuple(map(str, document["warnings"])),
        capabilities,
        tuple(map(_read_adapter, document["adapters"])),
        tuple(map(_read_engine, document.get("engines", ()))),
    )


def _read_adapter(document: Mapping[str, Any]) -> AdapterRow:
    sandbox = document["sandbox"]
    flags = (
        "network" if sandbox["network"] else "no network",
        f"subject {sandbox['filesystem']}",
        f"at most {sandbox['timeout']:g} s",
        *((f"at most {sandbox['memory_mb']} MB",) if sandbox["memory_mb"] else ()),
        *((f"tools {', '.join(sandbox['tools'])}",) if sandbox["tools"] else ()),
    )
    texts = (str(document[key] or "") for key in ("name", "version", "description", "origin", "folder", "digest"))
    name, version, description, origin, folder, digest = texts
    return AdapterRow(name, version, description, origin, folder, digest, tuple(document["capabilities"]), flags)


def _read_engine(document: Mapping[str, Any]) -> EngineRow:
    problem = str(document.get("problem", ""))
    capabilities = {str(name): value for name, value in document.get("capabilities", {}).items()}
    return EngineRow(
        str(document["type"]).replace("_", "-"),
        str(document.get("label") or f"unusable: {problem}"),
        f"{document['origin']}{', in place of another' if document['overrides'] else ''}",
        tuple(sorted(flag for flag, value in capabilities.items() if value is True)),
        capabilities,
        tuple(name for name in _DERIVED if name in capabilities),
        tuple(str(model["id"]) for model in document.get("models", ())),
        str(document.get("agentConfigurationDoc", "")),
        document.get("optionsSchema"),
        tuple(document.get("logRules", ())),
        problem,
    )


def read_error(document: Mapping[str, Any]) -> str:
    """Return the messages of an error as the gate prints it with ``--json`` (``verigate:error.v1``)."""
    return "; ".join(str(fault["message"]) for fault in document["faults"]) or "it failed"
