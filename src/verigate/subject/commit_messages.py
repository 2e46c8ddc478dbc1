"""Read the commits that a change consists of: who made each, and its message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from verigate.domain.commit_text import CommitText
from verigate.errors import SubjectError
from verigate.subject.git import Git

MAX_COMMITS = 1000
"""The newest commits of a range that are read."""

MAX_BYTES = 1024 * 1024
"""Size of a commit from which it is left out: its message isn't one that anybody reads."""


_COMMITTED = re.compile(rb"^committer .*> (\d{1,12}) [+-]\d{4}$", re.MULTILINE)


def read_commits(git: Git, base: str | None, *tips: str) -> tuple[CommitText, ...]:
    """Read the commits from ``base``, which isn't one of them, to ``tips``, the newest first.

    ``base`` is a commit, None for the whole history. Raises SubjectError where git fails.
    """
    excluded = () if base is None else (f"^{base}",)
    asked = ("rev-list", f"--max-count={MAX_COMMITS}", *tips, *excluded, "--")
    return _read_each(git, git.run(*asked).split())


def read_range(git: Git, span: str, most: int) -> tuple[CommitText, ...]:
    """Read at most ``most`` commits of a revision range that are no merges, the newest first.

    ``span`` is as git has it: ``A..B``, or the commit that ends it. Raises SubjectError for one that git doesn't know,
    and for a commit that is larger than MAX_BYTES or isn't here.
    """
    ids = _list_ids(git, span, most)
    found = _read_each(git, ids)
    if len(found) != len(ids):
        known = {commit.id for commit in found}
        left = [name for name in map(bytes.decode, ids) if name not in known]
        hint = f"a commit has at most {MAX_BYTES} bytes; of a partial clone fetch the rest"
        raise SubjectError(f"{len(left)} commits can't be read: {', '.join(left[:5])}", where=span, hint=hint)
    return found


def _list_ids(git: Git, span: str, most: int) -> Sequence[bytes]:
    asked = ("rev-list", "--no-merges", f"--max-count={most}", "--end-of-options", span, "--")
    done = git.attempt(*asked)
    if done.returncode == 0:
        return done.stdout.split()
    if b"bad revision" not in done.stderr:
        raise git.make_error(asked, done.returncode, done.stderr)
    if git.attempt("rev-parse", "--verify", "--quiet", "HEAD").returncode != 0:
        raise SubjectError("the current branch has no commit yet", where=git.cwd, hint="commit something first")
    hint = "git log shows the commits; a range is BASE..HEAD, such as origin/main..HEAD"
    raise SubjectError(f"{span!r} is no commit and no range of commits", where=git.cwd, hint=hint)


def _read_each(git: Git, ids: Sequence[bytes]) -> tuple[CommitText, ...]:
    if not ids:
        return ()
    sizes = git.run("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=_join(ids)).splitlines()
    # Of an object that a partial clone lacks there is a word instead of a size.
    sized = ((name, size) for name, size in map(bytes.split, sizes) if size.isdigit())
    small = [name for name, size in sized if int(size) <= MAX_BYTES]
    return tuple(_split_batch(git.run("cat-file", "--batch", stdin=_join(small)))) if small else ()


def _join(ids: Sequence[bytes]) -> bytes:
    return b"".join(name + b"\n" for name in ids)


def _split_batch(output: bytes) -> Iterator[CommitText]:
    """Split the output of ``git cat-file --batch`` by the sizes that it names: a message may hold anything."""
    place = 0
    while place < len(output):
        line, _, _ = output[place : place + 200].partition(b"\n")
        name, _, size = line.split(b" ")
        start = place + len(line) + 1
        end = start + int(size)
        yield _parse_commit(name.decode("ascii"), output[start:end])
        place = end + 1


def _parse_commit(name: str, content: bytes) -> CommitText:
    header, _, message = content.partition(b"\n\n")
    people = {
        key: value.rpartition(b">")[0] + b">"
        for key, _, value in (line.partition(b" ") for line in header.split(b"\n"))
        if key in {b"author", b"committer"}
    }
    moment = _COMMITTED.search(header)
    return CommitText(
        name,
        _decode(people.get(b"author")),
        _decode(people.get(b"committer")),
        _decode(message),
        int(moment[1]) if moment is not None else 0,
        *_read_ids(header),
    )


def _read_ids(header: bytes) -> tuple[str, tuple[str, ...]]:
    """Return tree and parents of a commit: its first lines."""
    tree, parents = "", []
    for line in header.split(b"\n"):
        key, _, value = line.partition(b" ")
        if key == b"tree":
            tree = value.decode("ascii", "replace")
        elif key == b"parent":
            parents.append(value.decode("ascii", "replace"))
        else:
            break
    return tree, tuple(parents)


def _decode(text: bytes | None) -> str:
    return (text or b"").decode("utf-8", "replace")
