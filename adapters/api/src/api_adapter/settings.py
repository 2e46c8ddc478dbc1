"""Read the adapter's configuration, which the gate has validated against the manifest's schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct, ValidationError, convert, field

from verigate.sdk import AdapterUsageError, Request

SAFE_METHODS = ("GET", "HEAD", "OPTIONS", "TRACE")
"""Safe methods. Source: RFC 9110, section 9.2.1."""

WRITING_METHODS = ("POST", "PUT", "PATCH", "DELETE")

DEFAULT_SAMPLES = 5


class ServiceCommand(Struct, frozen=True, forbid_unknown_fields=True):
    """How to start the service.

    ``{port}`` in ``command`` and in the values of ``env`` is replaced by its port, which is also in the variable PORT;
    ``port`` 0 means a free one. The service is ready when ``health`` responds below 500, or without ``health`` when the
    port accepts a connection, at most ``start_timeout_s`` seconds after the start. ``cwd`` is relative to the
    repository.
    """

    command: tuple[str, ...]
    port: int = 0
    health: str | None = None
    start_timeout_s: float = 30.0
    cwd: str = "."
    env: Mapping[str, str] = field(default_factory=dict)
    pass_credentials: bool = False


class RateProbe(Struct, frozen=True, forbid_unknown_fields=True):
    """Bounds of probing for a rate limit: at most ``requests`` calls and ``seconds`` per endpoint."""

    requests: int = 40
    seconds: float = 5.0
    endpoints: tuple[str, ...] = ()


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The repository's settings for its service; ``samples`` is that of the active profile.

    ``credentials`` maps a documented scheme to the name of the environment variable with its secret.
    """

    base_url: str | None = None
    service: ServiceCommand | None = None
    openapi: str | None = None
    base_path: str | None = None
    reported: str | None = None
    sources: tuple[str, ...] = ()
    methods: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    internal: tuple[str, ...] = ()
    examples: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    credentials: Mapping[str, str] = field(default_factory=dict)
    timeout_s: float = 10.0
    inputs: int = 5
    rounds: int = 3
    seed: int = 1
    base_schema: bool = True
    rate_limits: RateProbe = RateProbe()
    samples: int = DEFAULT_SAMPLES

    @property
    def callable_methods(self) -> tuple[str, ...]:
        """The methods that may be called: the configured ones, else all but TRACE in a service that is started.

        What they write there is thrown away; in a service that runs already, only those that don't write are called.
        """
        if self.methods is not None:
            return self.methods
        return ("GET", "HEAD", "OPTIONS") + (WRITING_METHODS if self.service is not None else ())

    @property
    def has_service(self) -> bool:
        """Whether a service is configured."""
        return self.base_url is not None or self.service is not None


def read_settings(request: Request) -> Settings:
    """Read the settings of a call. Raises AdapterUsageError."""
    samples = request.rules.get("samples")
    given = dict(request.config)
    if isinstance(samples, int) and not isinstance(samples, bool) and samples > 0:
        given["samples"] = samples
    try:
        settings = convert(given, Settings)
    except ValidationError as error:
        raise AdapterUsageError(str(error), where="the configuration of api") from error
    if settings.base_url is not None and settings.service is not None:
        raise AdapterUsageError(
            "base_url and service are both configured", where="the configuration of api", hint="remove one of them"
        )
    if settings.base_url is not None:
        parts = urlsplit(settings.base_url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username:
            raise AdapterUsageError(
                "base_url is not a plain http or https URL",
                where="the configuration of api",
                hint="use a URL such as http://127.0.0.1:8000, and put secrets into credentials",
            )
    return settings
