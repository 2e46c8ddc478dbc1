"""Read config/sandbox.json, which maps an adapter's name to what its sandbox opens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from verigate.config.files import parse_json
from verigate.config.layers import Layers, raise_faults, read_layers
from verigate.config.validation import validate
from verigate.domain.grants import Grant, GrantKind, Grants, parse_grants
from verigate.domain.profile import SANDBOX_FILE
from verigate.errors import ConfigError, Fault
from verigate.formats import pointer
from verigate.formats.near_names import suggest_name
from verigate.formats.schema import MAX_FAULTS

_RESERVED = ("GATE_", "GIT_", "LD_", "XDG_")
_OWN = frozenset({"HOME", "PATH", "TMPDIR", "PWD", "SHELL", "VIRTUAL_ENV"})
_KERNEL = ("/proc", "/sys", "/dev")
_MEMORY = "/dev/shm/"  # noqa: S108 (compared, not used): folders of people, below one of the kernel's
_TOO_WIDE = frozenset({"", "~", "/tmp", "/var/tmp", "/run", "/var/run"})  # noqa: S108 (compared, not used)


def load_sandbox_layers(root: Path, builtin: Path) -> Layers:
    """Read the file and check it. Raises ConfigError with all its faults.

    The file in the gate's own checkout is about the gate itself and doesn't ship.
    """
    layers = replace(read_layers(root, builtin, SANDBOX_FILE, "sandbox"), shipped={})
    raise_faults(layers, list(islice(_find_faults(parse_grants(layers.own)), MAX_FAULTS)))
    return layers


def parse_base_grants(content: bytes) -> Grants:
    """Parse the base's file; empty if it can't be used."""
    try:
        document = parse_json(content, shown=SANDBOX_FILE)
    except ConfigError:
        return {}
    if validate("sandbox", document, file=SANDBOX_FILE, source=content):
        return {}
    grants = parse_grants(document)
    return {} if next(iter(_find_faults(grants)), None) is not None else grants


def resolve_grants(layers: Layers, adapters: Iterable[str]) -> Grants:
    """Return the grants of each adapter. Raises ConfigError for an adapter that doesn't exist."""
    known = set(adapters)
    faults = [
        Fault(f"no adapter is called {name!r}", pointer=pointer.join(name), hint=suggest_name(name, known))
        for name in islice((name for name in layers.own if name not in known), MAX_FAULTS)
    ]
    raise_faults(layers, faults)
    return parse_grants(layers.own)


def _find_faults(grants: Grants) -> Iterator[Fault]:
    for adapter, listed in grants.items():
        numbers = {GrantKind.BIND: 0, GrantKind.ENV: 0}
        seen: set[tuple[str, str]] = set()
        for grant in listed:
            place = pointer.join(adapter, grant.kind.value)
            if grant.kind in numbers:
                place = pointer.join(adapter, grant.kind.value, numbers[grant.kind])
                numbers[grant.kind] += 1
            if message := _explain_refusal(grant):
                yield Fault(message, pointer=place)
            elif (grant.kind, grant.what) in seen:
                yield Fault(f"{grant.what!r} is listed twice", pointer=place)
            if not grant.reason.strip():
                yield Fault("the reason is empty", pointer=place)
            seen.add((grant.kind, grant.what))


def _explain_refusal(grant: Grant) -> str | None:
    """Explain why a grant is refused on every machine; None if it isn't."""
    if grant.kind is GrantKind.ENV:
        if grant.what in _OWN or grant.what.startswith(_RESERVED):
            return f"{grant.what} is set by the gate itself, and can't be passed on"
        return None
    return _explain_path_refusal(grant.what) if grant.kind is GrantKind.BIND else None


def _explain_path_refusal(path: str) -> str | None:
    parts = path.rstrip("/").split("/")
    if path.rstrip("/") in _TOO_WIDE:
        return f"{path!r} is too wide: name the file or folder below it"
    if any(ord(character) < 32 or character in '*?["' for character in path):
        return f"{path!r} has a character that no path here may have: control characters, *, ?, [ and quotes"
    if not {"", ".", ".."}.isdisjoint(parts[1:]) or parts[0] in {".", ".."}:
        return f"{path!r} isn't a plain path: leave out ., .. and empty parts"
    return _explain_place_refusal(path, parts[0])


def _explain_place_refusal(path: str, first: str) -> str | None:
    if not path.startswith(_MEMORY) and any(path == folder or path.startswith(f"{folder}/") for folder in _KERNEL):
        return f"{path!r} belongs to the kernel, and the sandbox has its own"
    if first.startswith("~") and first != "~":
        return f"{path!r}: write ~/ for the home folder of whoever runs the gate"
    return f"{path!r} belongs to the gate or to git" if first in {".git", ".artifacts"} else None
