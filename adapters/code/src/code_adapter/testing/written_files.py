"""The files of the subject that tests are to see: all, or those that the tests of affected packages need.

In a large repository the gate leaves it to the call to write them. A package that is neither affected nor needed by
one that is stays unwritten but for what says which packages there are. A test that reads it nevertheless fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from code_adapter.packages.manifest_tree import MANIFESTS
from code_adapter.packages.path_needs import is_settings
from code_adapter.subject_files import SubjectFiles, find_subject_files
from code_adapter.testing.impact.affected import ASKED, AffectedPackages, read_affected
from code_adapter.testing.suites import Suite
from verigate.sdk import Request
from verigate.sdk.subject import find_repository, is_on_demand, is_regular, list_paths, write_files

_CARGO = "Cargo.toml"


@dataclass(frozen=True)
class WrittenFiles:
    """The files that are written, and the packages that a change affects, where that is asked for.

    ``left_out`` is whether files of the subject aren't written.
    """

    files: SubjectFiles
    affected: AffectedPackages | None
    left_out: bool = False

    def suffice(self, suites: Sequence[Suite]) -> bool:
        """Whether these suites need none of what is left out: each is of one package, and runs nothing else."""
        if self.affected is None:
            return not self.left_out
        find_owner = self.affected.graph.find_owner
        return all(suite.stands_alone and find_owner(suite.folder) is not None for suite in suites)


def write_all(request: Request) -> WrittenFiles:
    """Write every file. Raises ToolFailed if git can't."""
    if is_on_demand(request):
        write_files(request, list_paths(request, find_repository(request)))
    files = find_subject_files(request)
    return WrittenFiles(files, read_affected(request, files))


def write_needed(request: Request) -> WrittenFiles:
    """Write the files that the tests of this call may need. Raises ToolFailed if git can't."""
    if not is_on_demand(request) or request.rules.get("tests") != ASKED:
        return write_all(request)
    paths = tuple(list_paths(request, find_repository(request)))
    first = [path for path in paths if _is_of_packages(path)]
    write_files(request, first)
    affected = read_affected(request, _list_written(request, first))
    if affected is None or affected.why:
        return write_all(request)
    owners = {path: affected.graph.find_owner(path) for path in paths}
    # Cargo reads the sources of every member of a workspace, also of those that it doesn't build.
    of_cargo = {owner for path, owner in owners.items() if owner and path == f"{owner}/{_CARGO}"}
    needed = affected.graph.find_needed(affected.chosen | of_cargo)
    wanted = [path for path, owner in owners.items() if owner is None or owner in needed or _is_of_packages(path)]
    write_files(request, wanted)
    files = _list_written(request, wanted)
    return WrittenFiles(
        files, replace(affected, change=replace(affected.change, files=files)), len(wanted) < len(paths)
    )


def _list_written(request: Request, paths: Iterable[str]) -> SubjectFiles:
    root = request.repo_root
    return SubjectFiles(root, tuple(path for path in paths if is_regular(root, path)))


def _is_of_packages(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name in MANIFESTS or is_settings(name)
