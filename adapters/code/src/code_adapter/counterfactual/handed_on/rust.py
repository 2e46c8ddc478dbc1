"""Hand on names from a module of a Rust crate to another one of it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from code_adapter.counterfactual.handed_on.code import Code
    from code_adapter.counterfactual.handed_on.moves import Handed
    from code_adapter.syntax.symbols import Symbol

_PUBLIC = re.compile(rb"^\s*(pub(?:\s*\([^)\n]*\))?)\s", re.MULTILINE)
_ALL_OF_ANOTHER = re.compile(rb"\bpub\b[^;\n]*\buse\b[^;]*\*\s*\}?\s*;")
_ROOTS = ("lib.rs", "main.rs")


def hand_on(code: Code, _other: Code, place: str, origins: Mapping[str, Iterable[Handed]]) -> None:
    """Let the module of ``place`` give the names that the modules of ``origins`` define in this version."""
    home = _find_source_folder(code, place)
    module = _name_module(code, home, place)
    source = code.read(place)
    if module is None or _ALL_OF_ANOTHER.search(source or b""):
        return
    lines = []
    for origin, handed in origins.items():
        there = _name_module(code, home, origin)
        if there is None or _find_source_folder(code, origin) != home:
            continue
        for each in handed:
            public = _read_visibility(code.read(origin) or b"", each.symbol)
            full = "::".join(["crate", *there, each.symbol.name])
            lines.append(f"#[allow(unused_imports)]\n{public}use {full};\n")
    if not lines or (source is None and not (code.can_add(place) and _declare(code, home, module))):
        return
    code.append(place, "\n" + "".join(lines))


def _read_visibility(source: bytes, symbol: Symbol) -> str:
    text = b"\n".join(source.split(b"\n")[symbol.line - 1 : symbol.end_line])
    found = _PUBLIC.search(text.split(b"{")[0])
    return f"{found[1].decode()} " if found else ""


def _find_source_folder(code: Code, path: str) -> str | None:
    """Find the folder ``src`` of the nearest package above a source."""
    above = posixpath.dirname(path)
    while posixpath.join(above, "Cargo.toml") not in code.paths:
        if not above:
            return None
        above = posixpath.dirname(above)
    return posixpath.join(above, "src")


def _name_module(code: Code, home: str | None, path: str) -> list[str] | None:
    """Name the module that a source is, from the root of its crate; None if it is of no library or only program."""
    if home is None or not path.startswith(f"{home}/"):
        return None
    parts = posixpath.splitext(path)[0].removeprefix(f"{home}/").split("/")
    if parts == ["main"]:
        return None if f"{home}/lib.rs" in code.paths else []
    if parts == ["lib"]:
        return []
    return parts[:-1] if parts[-1] == "mod" else parts


def _declare(code: Code, home: str | None, module: list[str]) -> bool:
    """Declare a module that is added in the one above it; False if that isn't there."""
    above = posixpath.join(home or "", *module[:-1])
    candidates = [posixpath.join(above, "mod.rs"), f"{above}.rs"]
    if len(module) == 1:
        candidates = [posixpath.join(home or "", name) for name in _ROOTS]
    for path in candidates:
        source = code.read(path)
        if source is not None:
            if not re.search(rf"\bmod\s+{re.escape(module[-1])}\b".encode(), source):
                code.append(path, f"\npub mod {module[-1]};\n")
            return True
    return False
