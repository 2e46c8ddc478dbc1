"""Render what agents said to be done next to what their sessions ran: a table, and a JSON document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verigate.domain.agent_history import MEANING, Backing, PastRun, RepositoryToday, SaidDone, Unread
from verigate.reporting.escape import escape
from verigate.reporting.layout import MIN_WIDTH, format_table, wrap
from verigate.reporting.palette import Palette

HISTORY_SCHEMA = "verigate:history.v1"
WITHOUT = (Backing.HIDDEN, Backing.STALE, Backing.NONE, Backing.FAILED)
"""The standings without a run after the last edit that is known to have passed."""

_STYLES = {Backing.PASSED: "green", Backing.PART: "yellow", Backing.HIDDEN: "yellow"}
_LONGEST = 300


def share_document(entries: Sequence[SaidDone]) -> dict[str, Any]:
    """Count by standing, and the share without a passing run: None where nothing is counted."""
    counts = Counter(each.backing for each in entries)
    counted = sum(number for backing, number in counts.items() if backing.counts)
    without = sum(counts[backing] for backing in WITHOUT)
    return {
        "said_done": len(entries),
        "counted": counted,
        "without_passing_run": without,
        "share": without / counted if counted else None,
        "by_standing": {backing.value: counts[backing] for backing in Backing},
    }


def history_document(
    sessions: Mapping[str, int], entries: Sequence[SaidDone], today: Sequence[RepositoryToday], unread: Unread
) -> dict[str, Any]:
    """Return the JSON document of ``gate history mine --json``; ``sessions`` counts them by host."""
    return {
        "schema": HISTORY_SCHEMA,
        "unread": {"files": unread.files, "lines": unread.lines},
        "hosts": {
            host: {"sessions": number, **share_document([each for each in entries if each.host == host])}
            for host, number in sessions.items()
        },
        "all": {"sessions": sum(sessions.values()), **share_document(entries)},
        "folders": [
            {"folder": each.folder, "exists": each.exists, "root": each.root or None, "verdicts": dict(each.verdicts)}
            for each in today
        ],
        "said": [_entry_document(each) for each in entries],
    }


def _entry_document(entry: SaidDone) -> dict[str, Any]:
    return {
        "host": entry.host,
        "session": entry.session,
        "folder": entry.folder,
        "moment": entry.moment or None,
        "statements": list(entry.statements),
        "topics": [topic.value for topic in entry.topics],
        "standing": entry.backing.value,
        "why": MEANING[entry.backing],
        "run": None if entry.last_run is None else _run_document(entry.last_run),
        "files_edited": entry.edited,
        "files_present": entry.present,
        "verdict": entry.verdict or None,
    }


def _run_document(run: PastRun) -> dict[str, Any]:
    return {"command": run.command, "succeeded": run.succeeded, "exit_code": run.exit_code}


def render_history(
    sessions: Mapping[str, int],
    entries: Sequence[SaidDone],
    today: Sequence[RepositoryToday],
    unread: Unread,
    *,
    shown: int,
    colour: bool = False,
    width: int = 100,
) -> str:
    """Render the shares by host, the folders as they are today, and the last ``shown`` without a passing run."""
    palette = Palette(colour)
    lines = list(_share_lines(sessions, entries, palette, width))
    lines += _folder_lines(entries, today, palette, width)
    without = [each for each in entries if each.backing in WITHOUT]
    for each in sorted(without, key=lambda one: one.moment)[-shown:] if shown else ():
        lines += ["", *_entry_lines(each, palette, max(width, MIN_WIDTH))]
    lines += ["", *_sum_lines(sessions, entries, unread)]
    return "\n".join(lines) + "\n"


def _share_lines(
    sessions: Mapping[str, int], entries: Sequence[SaidDone], palette: Palette, width: int
) -> Iterator[str]:
    kinds = [backing for backing in Backing if backing.counts]
    rows = []
    for host, number in sessions.items():
        share = share_document([each for each in entries if each.host == host])
        counts = [str(share["by_standing"][kind.value]) for kind in kinds]
        rows.append((host, str(number), str(share["said_done"]), str(share["counted"]), *counts, _format_share(share)))
    names = ("host", "sessions", "said done", "after edits", *(kind.value for kind in kinds), "no passing run")
    head, *lines = format_table(names, rows, max(width, 120))
    yield palette.paint(head, "bold")
    yield from lines


def _format_share(share: Mapping[str, Any]) -> str:
    if share["share"] is None:
        return "nothing to count"
    return f"{share['share']:.0%} ({share['without_passing_run']} of {share['counted']})"


def _folder_lines(
    entries: Sequence[SaidDone], today: Sequence[RepositoryToday], palette: Palette, width: int
) -> Iterator[str]:
    if not today:
        return
    rows = []
    for each in today:
        here = [entry for entry in entries if entry.folder == each.folder]
        verdicts = ", ".join(f"{number} {escape(status, limit=20)}" for status, number in each.verdicts)
        state = (verdicts or "no verdict") if each.exists else "gone" if each.folder else "-"
        judged = sum(bool(entry.verdict) for entry in here)
        rows.append((escape(each.folder or "not known", limit=200), str(len(here)), str(judged), state))
    head, *lines = format_table(("folder", "said done", "with a verdict", "today"), rows, width)
    yield ""
    yield palette.paint(head, "bold")
    yield from lines


def _entry_lines(entry: SaidDone, palette: Palette, width: int) -> Iterator[str]:
    word = palette.paint(f"{entry.backing.value:<8}", _STYLES.get(entry.backing, "red"))
    for number, text in enumerate(entry.statements[:3]):
        yield from wrap(escape(text, limit=_LONGEST), width, indent=" " * 9, first=f"{word} " if not number else None)
    why = MEANING[entry.backing]
    if entry.last_run is not None:
        code = entry.last_run.exit_code
        ended = "" if code is None else f" (exit code {code})"
        why += f": {entry.last_run.command}{ended}"
    yield from wrap(escape(why, limit=_LONGEST), width, indent=" " * 9)
    place = f"{entry.host} {entry.session} in {entry.folder or 'an unknown folder'}"
    yield from wrap(escape(place, limit=_LONGEST), width, indent=" " * 9)


def _sum_lines(sessions: Mapping[str, int], entries: Sequence[SaidDone], unread: Unread) -> Iterator[str]:
    share = share_document(entries)
    number = sum(sessions.values())
    if not number:
        yield "no session was found: nothing to count"
    elif share["share"] is None:
        yield f"{_count(number, 'session')}, {share['said_done']} times done after no edit: no share, nothing to count"
    else:
        yield (
            f"{_count(number, 'session')}: {share['without_passing_run']} of {share['counted']} times done "
            f"({share['share']:.0%}) had no run after the last edit that is known to have passed"
        )
    if unread.files or unread.lines:
        yield f"left out: {_count(unread.files, 'file')} and {_count(unread.lines, 'line')} that can't be read"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' if number != 1 else ''}"
