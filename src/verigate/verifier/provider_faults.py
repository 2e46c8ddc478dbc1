"""Name the errors of model providers. None of them changes a verdict."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

_TRANSPORTS = frozenset({"httpx", "httpx2", "httpcore", "httpcore2", "aiohttp", "anyio", "ssl", "websockets"})
"""HTTP libraries that google-genai may use, depending on its version and on what is installed."""

_BY_STATUS = {
    400: ("rejected_request", "the request was refused", "look at the model's name and at what it can do"),
    401: ("not_permitted", "the key was refused", "set another one"),
    403: ("not_permitted", "the key may not use this model", "set another one, or name another model"),
    404: ("model_not_found", "there is no such model", "name another in verifier.model of the profile"),
    408: ("timeout", "the provider ran out of time", "try again later"),
    413: ("rejected_request", "the request is too large", "lower verifier.max_tokens in the profile"),
    429: (
        "rate_limited",
        "too many requests, or no quota left, also after retries",
        "try again later, or raise the quota",
    ),
    499: ("timeout", "the provider cancelled the request", "try again later"),
    504: ("timeout", "the provider ran out of time", "try again later"),
}
_OF_PROGRAMS = {
    "not_permitted": ("the credentials were refused", "log in again, or set another key"),
    "not_logged_in": ("the program isn't logged in", "log in with the program itself, or set its key"),
    "rate_limited": ("too many requests, or no quota left", "try again later, or raise the quota"),
    "model_not_found": ("there is no such model", "name another in verifier.model of the profile"),
    "untrusted_folder": ("the program doesn't trust its run folder", "let the gate write its file of trusted folders"),
    "unavailable": ("the provider can't answer now, also after retries", "try again later"),
    "unreachable": ("the provider can't be reached", "look at the network and the base URL"),
}
_TRUNCATED = ("truncated", "the answer was cut off at its length limit", "raise verifier.max_tokens in the profile")
_BLOCKING = frozenset(
    {"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR", "LANGUAGE", "JAILBREAK"}
)
_SETTLE = "settle the statement by a fact, or reword it"


class NamedFault(Struct, frozen=True):
    """A named error, with a sentence and a hint."""

    code: str
    message: str
    hint: str


def from_status(status: int, said: str | None) -> NamedFault:
    """Name an HTTP error status, after all retries. ``said`` is the provider's own message."""
    detail = f": {said[:300]}" if said else ""
    if status in _BY_STATUS:
        code, message, hint = _BY_STATUS[status]
    elif status >= 500:
        code, message, hint = "unavailable", "the provider can't answer now, also after retries", "try again later"
    else:
        code, message, hint = "rejected_request", "the request was refused", "look at verifier.model of the profile"
    return NamedFault(code, f"{message} (HTTP {status}{detail})", hint)


def from_program(code: str, name: str, said: str) -> NamedFault:
    """Name a fault that the program ``name`` printed. ``said`` are its own words."""
    message, hint = _OF_PROGRAMS[code]
    return NamedFault(code, f"{message}: {name} printed {said!r}" if said else message, hint)


def from_exception(problem: BaseException) -> NamedFault | None:
    """Name an exception about the connection or an unreadable response; None for any other exception."""
    chain = tuple(_chain(problem))
    if any("timeout" in type(item).__name__.lower() for item in chain):
        return NamedFault(
            "timeout", "no answer came in time", "raise verifier.timeout_s in the profile, or try again later"
        )
    if any(isinstance(item, OSError) or type(item).__module__.partition(".")[0] in _TRANSPORTS for item in chain):
        text = str(problem) or type(problem).__name__
        return NamedFault(
            "unreachable", f"the provider can't be reached: {text[:300]}", "look at the network and the base URL"
        )
    if any(isinstance(item, ValueError) or "Response" in type(item).__name__ for item in chain):
        text = f"{type(problem).__name__}: {problem}"
        return NamedFault("malformed_response", f"the response is not the API's: {text[:300]}", "look at the base URL")
    return None


def _chain(problem: BaseException | None) -> Iterable[BaseException]:
    seen = 0
    while problem is not None and seen < 10:
        yield problem
        problem, seen = problem.__cause__ or problem.__context__, seen + 1


def from_response(block: Any, finish: Any, text: str, candidates: int) -> NamedFault | None:
    """Name the reason why a response has no complete answer; None if it ended normally.

    ``block`` is why the prompt was blocked, ``finish`` why the answer ended, both as the API names them.
    """
    if block:
        return NamedFault("prompt_blocked", f"the provider blocked the prompt: {_read_name(block)}", _SETTLE)
    if candidates == 0:
        return NamedFault("empty_answer", "the response holds no answer", "try again later")
    return _explain_end(_read_name(finish)) or (
        None if text.strip() else NamedFault("empty_answer", "the answer is empty", "try again later")
    )


def _explain_end(ended: str) -> NamedFault | None:
    if ended in _BLOCKING:
        return NamedFault("answer_blocked", f"the provider blocked the answer: {ended}", _SETTLE)
    if ended == "MAX_TOKENS":
        return NamedFault(*_TRUNCATED)
    if not ended:
        return NamedFault("truncated", "the answer broke off without an end", "try again later")
    if ended == "STOP":
        return None
    return NamedFault("stopped_early", f"the answer ended with {ended}", "try again later, or name another model")


def _read_name(reason: Any) -> str:
    """Return the name of an enumeration's member, also of one that the library doesn't know yet."""
    return "" if reason is None else str(getattr(reason, "value", reason)).upper()
