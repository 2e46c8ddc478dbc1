"""Declarative description of a server as an engine, and the user's options for one."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, field

from verigate.domain.engine import EngineCapabilities, EngineDescription, EngineModel
from verigate.errors import UsageError
from verigate.formats.near_names import suggest_nearest
from verigate.verifier.lifecycle.options import SOURCE

AnswerFormat = Literal["json_schema", "json_object", "text"]
"""What is asked for in ``response_format``: an answer held to a schema, any JSON object, or nothing at all."""

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ADDRESS_HINT = "set base_url, as in http://127.0.0.1:8080/v1"


class HttpServer(
    Struct, frozen=True, rename={"configuration_doc": "agentConfigurationDoc"}, forbid_unknown_fields=True
):
    """A server that is an engine. ``base_url`` is the address that ``/chat/completions`` is appended to.

    ``key_from`` names the variable of the caller's environment with the key; None sends none. ``defaults`` and
    ``enforced`` are the first and the last layer of the body of a request.
    """

    kind: Literal["http"]
    type: str
    label: str
    base_url: str | None = None
    key_from: str | None = None
    models: tuple[EngineModel, ...] = ()
    configuration_doc: str = ""
    capabilities: EngineCapabilities = EngineCapabilities(json_output=True, response_schema=True)
    provider: str | None = None
    defaults: Mapping[str, Any] = field(default_factory=dict)
    enforced: Mapping[str, Any] = field(default_factory=dict)

    @property
    def description(self) -> EngineDescription:
        """The engine's description."""
        return EngineDescription(self.type, self.label, self.models, self.configuration_doc)


class HttpOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """A user's options of one server. ``settings`` are their layer of the body of a request.

    ``system_prompt`` False sends the gate's instruction as part of the question, for models without a system turn.
    Seconds: ``timeout_s`` of one call with retries, ``silence_s`` without a byte of an answer.
    """

    base_url: str | None = None
    key_from: str | None = None
    model: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    response_format: AnswerFormat | None = None
    system_prompt: bool = True
    stream: bool = False
    session: bool = True
    timeout_s: float | None = None
    silence_s: float | None = None
    source: str = "the engine's options"


class Address(Struct, frozen=True):
    """Where requests go, and how. ``key_from`` names the variable of ``key``; None sends none."""

    base_url: str
    key_from: str | None = None
    key: str | None = None

    def __repr__(self) -> str:
        """Leave out the key."""
        return f"Address({self.base_url!r}, key_from={self.key_from!r})"

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine."""
        return _is_loopback(urlsplit(self.base_url).hostname or "")


class AddressError(UsageError):
    """There is no usable address, or no key."""

    code = "CONFIGURATION"


class MissingKeyError(UsageError):
    """The variable that is to hold the key is not set."""

    code = "MISSING_KEY"


def parse_http_options(server: HttpServer, config: Mapping[str, Any]) -> HttpOptions:
    """Parse the options in an execution's config. Raises UsageError that names an unknown one."""
    where = str(config.get(SOURCE, HttpOptions().source))
    known = [name for name in HttpOptions.__struct_fields__ if name != "source"]
    found = {name: value for name, value in config.items() if name != SOURCE}
    unknown = next((name for name in found if name not in known), None)
    if unknown is not None:
        hint = suggest_nearest(unknown, known) or f"known: {', '.join(sorted(known))}"
        raise UsageError(f"{server.type} has no option {unknown!r}", where=where, hint=hint)
    try:
        return msgspec.convert({**found, "source": where}, HttpOptions)
    except msgspec.ValidationError as problem:
        hint = "docs/engines.md says what each option is"
        raise UsageError(f"an option of {server.type} can't be used: {problem}", where=where, hint=hint) from problem


def find_address(server: HttpServer, options: HttpOptions, environ: Mapping[str, str]) -> Address:
    """Find the address and the key. Raises AddressError, MissingKeyError.

    A key never leaves this machine without encryption.
    """
    base_url = options.base_url or server.base_url
    if base_url is None:
        raise AddressError("no server is named", where=options.source, hint=_ADDRESS_HINT)
    # A description's key belongs to the description's own server: another address doesn't get it.
    named = options.key_from if options.base_url or options.key_from else server.key_from
    _check_address(base_url, options.source)
    address = Address(base_url.rstrip("/"), named, None if named is None else _read_key(named, options, environ))
    if address.key is not None and base_url.startswith("http:") and not address.is_local:
        hint = "use https, or forward a port of this machine to the server"
        raise AddressError("the key would be sent without encryption", where=f"{options.source} base_url", hint=hint)
    return address


def _check_address(base_url: str, where: str) -> None:
    where = f"{where} base_url"
    try:
        parts = urlsplit(base_url)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise AddressError("this is no address of a server", where=where, hint=_ADDRESS_HINT)
    if parts.username is not None or parts.password is not None:
        raise AddressError("it holds a credential", where=where, hint="set key_from to the name of a variable")
    if parts.query or parts.fragment:
        raise AddressError("it has a query or a fragment", where=where, hint=_ADDRESS_HINT)


def _read_key(name: str, options: HttpOptions, environ: Mapping[str, str]) -> str:
    if not _VARIABLE.fullmatch(name):
        # The text isn't repeated: somebody may have written the key itself.
        hint = "write the name, as in MY_SERVER_KEY, and never the key"
        raise AddressError("key_from is no name of a variable", where=options.source, hint=hint)
    key = environ.get(name, "").strip()
    if not key:
        raise MissingKeyError(f"{name} is not set", where=options.source, hint=f"set {name} to the server's key")
    if not key.isascii() or not key.isprintable():
        raise MissingKeyError(
            f"{name} holds what can't be sent as a key", where=options.source, hint=f"set {name} again"
        )
    return key


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
