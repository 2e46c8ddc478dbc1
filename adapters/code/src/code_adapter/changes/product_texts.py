"""Text files that the product reads, such as templates and prompts: they are no documentation, whatever their suffix.

A text belongs to the product if code next to it, or in another folder of the same top folder, has its name, its stem,
its folder or its suffix in a string. Texts at other places belong to it if any code has their name in a string.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from code_adapter.changes.kinds import classify, is_text_by_suffix

if TYPE_CHECKING:
    from code_adapter.syntax.changes import ChangedFile
    from verigate.sdk.subject import Repository

_MOST = 200
"""Of more texts nobody looks up whether code reads them: none counts as documentation."""

_MOST_LISTED = 8 << 20
_QUOTES = "\"'`"
_EMBED = "//go:embed "


@dataclass(frozen=True)
class _Needle:
    """A string of code that names a text, and the folder below which the code has to be."""

    text: str
    path: str
    below: str = ""


def find_product_texts(files: Sequence[ChangedFile], repository: Repository) -> frozenset[str]:
    """Return the paths of changed texts that the subject's code names. The index is the subject's."""
    paths = [file.path for file in files for side in (file.before, file.after) if side and is_text_by_suffix(side.path)]
    if not paths or len(paths) > _MOST:
        return frozenset(paths)
    listed = repository.git("ls-files", "-z", "--cached").stdout
    sources = [
        each for each in listed.decode("utf-8", "surrogateescape").split("\0") if each and classify(each) == "code"
    ]
    folders = {str(PurePosixPath(each).parent) for each in sources}
    sides = [(side.path, file.path) for file in files for side in (file.before, file.after) if side is not None]
    needles = [
        needle
        for named, path in sides
        if is_text_by_suffix(named)
        for needle in _list_needles(PurePosixPath(named), path, folders)
    ]
    strange = (path for named, path in sides if is_text_by_suffix(named) and not named.isprintable())
    return frozenset((*strange, *_find(needles, repository)))


def _list_needles(named: PurePosixPath, path: str, folders: set[str]) -> Iterator[_Needle]:
    yield from (_Needle(f"{named.name}{quote}", path) for quote in _QUOTES)
    top = f"{named.parts[0]}/" if len(named.parts) > 1 else ""
    if any(f"{folder}/".startswith(top) for folder in folders) if top else "." in folders:
        yield _Needle(_EMBED, path)
        for quote in _QUOTES:
            yield _Needle(f"{quote}{named.stem}{quote}", path, top)
            yield from (_Needle(f"{start}{named.suffix}{quote}", path, top) for start in ("*", "}", quote))
            if len(named.parts) > 1 and str(named.parent) not in folders:
                folder = named.parent.name
                yield _Needle(f"{quote}{folder}{quote}", path, top)
                yield _Needle(f"/{folder}{quote}", path, top)
                yield _Needle(f"{quote}{folder}/", path, top)


def _find(needles: Sequence[_Needle], repository: Repository) -> Iterator[str]:
    wanted = sorted({needle.text for needle in needles if needle.text.isprintable()})
    search = ("grep", "--cached", "-z", "-I", "-F", "-f", "-")
    run = repository.git(
        *search, stdin="".join(f"{text}\n" for text in wanted).encode(), check=False, max_bytes=_MOST_LISTED
    )
    if run.exit_code not in {0, 1} or run.truncated:
        yield from (needle.path for needle in needles)
        return
    for entry in run.stdout.decode("utf-8", "surrogateescape").split("\n"):
        source, _, line = entry.partition("\0")
        if source and classify(source) == "code":
            yield from (each.path for each in needles if each.text in line and _is_near(each, source, line))


def _is_near(needle: _Needle, source: str, line: str) -> bool:
    """Whether the code is where a text has to be read from; what Go embeds lies below the source."""
    if needle.text != _EMBED:
        return source.startswith(needle.below)
    folder = f"{PurePosixPath(source).parent}/".removeprefix("./")
    if not needle.path.startswith(folder):
        return False
    inside = PurePosixPath(needle.path.removeprefix(folder))
    patterns = line.partition(_EMBED)[2].replace('"', " ").replace("`", " ").split()
    around = (inside, *inside.parents)
    return any(each.match(pattern.removeprefix("all:")) for pattern in patterns for each in around if str(each) != ".")
