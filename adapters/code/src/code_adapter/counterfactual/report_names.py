"""Find in which test file a reported test stands, for reports that only have its name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from code_adapter.counterfactual.cell_runs import OUTCOMES, TestName
from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.text_blocks import NamedText
from code_adapter.subject_files import SubjectFiles
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.outcomes import Case


def locate_cases(
    cases: Iterable[Case], files: SubjectFiles, chosen: Sequence[str], others: Sequence[str], folder: str
) -> list[tuple[TestName, Outcome]]:
    """Name each case that belongs to one of the ``chosen`` files; what stands in ``others`` alone is left out.

    A name that no file has belongs to the first chosen file: nobody may lose a test by writing its name in parts.
    A name of several tests is theirs in the order of the files, which is that of most runners. Where more files have a
    name than there are tests of it, it is that of the others: a name in a comment is no test.
    """
    texts = Texts(files.root)
    named = {path: NamedText(files.text(path)) for path in (*chosen, *others)}
    by_name: dict[str, list[Case]] = defaultdict(list)
    found: list[tuple[TestName, Outcome]] = []
    for case in cases:
        path = texts.path(case.path, folder) if case.path else None
        if path in chosen and path is not None:
            found.append((TestName(path, case.id), OUTCOMES[case.outcome]))
        elif path not in others:
            by_name[case.id].append(case)
    for name, own in by_name.items():
        places = _find_places(name, named)
        ordered = sorted(places) if len(own) >= len(places) else sorted(places, key=lambda path: (path in chosen, path))
        for number, case in enumerate(own):
            path = ordered[min(number, len(ordered) - 1)] if ordered else chosen[0]
            if path in chosen:
                found.append((TestName(path, name), OUTCOMES[case.outcome]))
    return found


def _find_places(name: str, named: Mapping[str, NamedText]) -> list[str]:
    """Find the files that have the longest part of a name; only those that it names too, if there are any."""
    parts = {path: part for path, text in named.items() if (part := text.find_written(name)) is not None}
    longest = max((len(part) for part in parts.values()), default=0)
    places = [path for path, part in parts.items() if len(part) == longest]
    by_file = [path for path in places if _names_file(name, path)]
    return by_file or places


def _names_file(name: str, path: str) -> bool:
    file = path.rpartition("/")[2]
    return file in name or file.partition(".")[0] in name.replace(".", " ").replace("/", " ").split()
