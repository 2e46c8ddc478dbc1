"""Credentials and addresses of the Gemini API, from the caller's environment alone: no repository sets them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

KEY_VARIABLES = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
VERTEX_VARIABLES = ("GOOGLE_GENAI_USE_ENTERPRISE", "GOOGLE_GENAI_USE_VERTEXAI")
_HINT = (
    "set GEMINI_API_KEY or GOOGLE_API_KEY; or, for Vertex AI, GOOGLE_GENAI_USE_VERTEXAI=true with GOOGLE_CLOUD_PROJECT "
    "and GOOGLE_CLOUD_LOCATION"
)


class NoCredentialsError(Exception):
    """No credentials are set; ``hint`` says what to set."""

    def __init__(self, message: str, hint: str = _HINT) -> None:
        super().__init__(message)
        self.hint = hint


class Settings(Struct, frozen=True):
    """Credentials and address of the model. ``source`` names the variables they came from, never their values.

    ``base_url`` None is Google's own address.
    """

    source: str
    vertex: bool = False
    api_key: str | None = None
    project: str | None = None
    location: str | None = None
    base_url: str | None = None

    def __repr__(self) -> str:
        """Leave out the key."""
        return f"Settings(source={self.source!r}, vertex={self.vertex!r}, base_url={self.base_url!r})"

    @property
    def provider(self) -> str:
        """``google`` for the Gemini API, ``vertex-ai`` for Vertex AI."""
        return "vertex-ai" if self.vertex else "google"


def read_settings(environ: Mapping[str, str]) -> Settings:
    """Read the settings from an environment. Raises NoCredentialsError."""
    name, key = next(
        ((name, environ[name].strip()) for name in KEY_VARIABLES if environ.get(name, "").strip()), ("", "")
    )
    vertex = next((name for name in VERTEX_VARIABLES if environ.get(name, "").strip().lower() in {"true", "1"}), None)
    if vertex is not None:
        return _read_vertex(environ, vertex, name, key)
    if not key:
        raise NoCredentialsError("no key for the Gemini API is set")
    return Settings(name, api_key=key, base_url=environ.get("GOOGLE_GEMINI_BASE_URL") or None)


def _read_vertex(environ: Mapping[str, str], switch: str, name: str, key: str) -> Settings:
    base_url = environ.get("GOOGLE_VERTEX_BASE_URL") or None
    project, location = environ.get("GOOGLE_CLOUD_PROJECT"), environ.get("GOOGLE_CLOUD_LOCATION")
    if project and location:
        source = f"{switch}, GOOGLE_CLOUD_PROJECT, GOOGLE_CLOUD_LOCATION"
        return Settings(source, vertex=True, project=project, location=location, base_url=base_url)
    if key:
        return Settings(f"{switch}, {name}", vertex=True, api_key=key, base_url=base_url)
    missing = "GOOGLE_CLOUD_PROJECT" if not project else "GOOGLE_CLOUD_LOCATION"
    raise NoCredentialsError(f"{switch} is set and {missing} isn't", f"set {missing}, or a key, or unset {switch}")
