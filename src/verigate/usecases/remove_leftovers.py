"""Remove what finished runs of engines left on this machine: run roots, entries of trusted folders, links to skills."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct

from verigate.errors import GateError
from verigate.usecases.engines import engine_services
from verigate.verifier.engines import create_from_offer, find_engines
from verigate.verifier.lifecycle.run_root import find_finished_roots, remove_root
from verigate.verifier.lifecycle.setup import find_stale_links
from verigate.verifier.lifecycle.trust import TrustRegister
from verigate.verifier.program import Program


class Leftover(Struct, frozen=True):
    """Something that a finished run left. ``problem`` says why it can't be removed, None if it can."""

    kind: Literal["run", "trust", "skill link"]
    path: str
    detail: str = ""
    problem: str | None = None


def remove_leftovers(environ: Mapping[str, str], root: Path, *, sessions: bool, dry_run: bool) -> tuple[Leftover, ...]:
    """Remove the leftovers, with ``dry_run`` only find them. What a run holds stays, of whatever repository.

    ``sessions``: also the roots with a session that a later run may resume. Engines are found outside of ``root``.
    """
    programs = tuple(_find_programs(environ, root))
    # The entries first: what is trusted must not outlive the folder.
    return (
        *(found for program in programs for found in _clean_trust(program, environ, dry_run=dry_run)),
        *(found for program in programs for found in _clean_links(program, environ, dry_run=dry_run)),
        *_clean_roots(environ, root, sessions=sessions, dry_run=dry_run),
    )


def _find_programs(environ: Mapping[str, str], root: Path) -> Iterator[Program]:
    services = engine_services(environ, root, "", str)
    for used, *_ in find_engines(environ, str(root)).by_type.values():
        try:
            program = getattr(create_from_offer(used, services), "program", None)
        except GateError:
            continue  # gate adapters says why it can't be made
        if isinstance(program, Program):
            yield program


def _clean_trust(program: Program, environ: Mapping[str, str], *, dry_run: bool) -> Iterator[Leftover]:
    if program.trust is None:
        return
    register = TrustRegister(program.trust, environ)
    try:
        stale = register.find_stale()
        if stale and not dry_run:
            register.sweep()
    except GateError as problem:
        yield Leftover("trust", str(register.path), problem=problem.message)
        return
    yield from (Leftover("trust", str(register.path), entry) for entry in stale)


def _clean_links(program: Program, environ: Mapping[str, str], *, dry_run: bool) -> Iterator[Leftover]:
    folder, home = program.skills.global_folder, environ.get("HOME", "")
    if folder is None or not home.startswith("/"):
        return
    for link in tuple(find_stale_links(Path(home) / folder.removeprefix("~/"))):
        problem = None
        try:
            if not dry_run:
                link.unlink(missing_ok=True)
        except OSError as error:
            problem = error.strerror
        yield Leftover("skill link", str(link), problem=problem)


def _clean_roots(environ: Mapping[str, str], root: Path, *, sessions: bool, dry_run: bool) -> Iterator[Leftover]:
    for place in find_finished_roots(environ, str(root), sessions=sessions):
        gone = dry_run or remove_root(place)
        yield Leftover("run", str(place), problem=None if gone else "another run holds it, or it can't be removed")
