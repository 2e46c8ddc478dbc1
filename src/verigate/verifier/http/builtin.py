"""``http``: any server of the chat API, at the address that the user names."""

from __future__ import annotations

from verigate.domain.engine import EngineServices
from verigate.verifier.http.engine import HttpEngine
from verigate.verifier.http.server import HttpServer

_DOCUMENT = """\
# http

Use when: a model runs on this machine or in your own network, in llama.cpp, vLLM, Ollama or any other server of the
OpenAI-compatible chat API; or a provider offers that API.
Don't use when: an engine for the provider ships; it knows more of its errors.

Core fields: base_url (as http://127.0.0.1:8080/v1, required), model (by default the server's only one), key_from (the
name of the variable with its key; by default none is sent), response_format (json_schema, json_object, text), settings
(members of the request's body), system_prompt, stream, timeout_s, silence_s.
"""

SERVER = HttpServer(kind="http", type="http", label="Any server of the chat API", configuration_doc=_DOCUMENT)


def http(services: EngineServices) -> HttpEngine:
    """Any server."""
    return HttpEngine(SERVER, services)
