"""``gate merge``: one verdict of a range from the files of its shards."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from verigate.cli.click_options import with_options
from verigate.cli.options import ADVISORY, JSON, SPAN, VERBOSE
from verigate.cli.target import find_repository

if TYPE_CHECKING:
    from verigate.domain.commit_text import CommitText

_EXPECTED = SPAN._replace(help="Refuse shards of another range than this one of the repository.")


@click.command(name="merge")
@click.argument("places", nargs=-1, required=True, type=click.Path(path_type=Path))
@with_options(_EXPECTED, JSON, VERBOSE, ADVISORY)
def command(places: tuple[Path, ...], span: str | None, as_json: bool, verbose: bool, advisory: bool) -> int:
    """Merge what `gate verify --range --shard` wrote to one report, and exit with the code of the worst verdict.

    PLACES are files, or folders, of which every *.json is taken. A shard that is missing, there twice or of another
    range, policy or version of the gate is an error, and so is a commit without a verdict.
    """
    from verigate.cli.run_range import report_range, say_commit
    from verigate.domain.range_shard import Shard
    from verigate.subject.merges import Merge
    from verigate.usecases.fleet.merge_shards import merge_shards, read_plan
    from verigate.usecases.fleet.shard_files import find_shard_files, read_shard_file

    shards = [read_shard_file(path) for path in find_shard_files(places)]
    found = merge_shards(shards, None if span is None else _find_expected(span))
    if not as_json:
        for each in found.commits:
            say_commit(each)
    merges = tuple(Merge(each["commit"], not each["own_changes"]) for each in read_plan(shards[0]).merges)
    return report_range(found, merges, Shard(1, 1), as_json=as_json, verbose=verbose, advisory=advisory)


def _find_expected(span: str) -> tuple[str, str, Sequence[CommitText]]:
    from verigate.cli.verified_commits import MOST_LISTED
    from verigate.composition.history import find_ends, list_commits, list_judged_trees, name_span

    root = find_repository()
    base, tip = find_ends(root, os.environ, span)
    commits = list_commits(root, os.environ, name_span(root, os.environ, base, tip), MOST_LISTED)
    trees = list_judged_trees(root, os.environ, commits)
    judged = [replace(commit, tree=tree) for commit, tree in zip(commits, trees, strict=True)]
    return base, tip, tuple(reversed(judged))
