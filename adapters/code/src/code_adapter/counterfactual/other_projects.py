"""The projects of Ruby, PHP and .NET in the versions of a change, and the runners of their tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from code_adapter.counterfactual.cell_runs import CellRunner
from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request


@dataclass
class OtherProjects:
    """The folders of projects whose runner is there, and the files of others, each with the reason.

    The cells of a language load what reads its reports: they are loaded where it has files.
    """

    request: Request
    ruby: set[str] = field(default_factory=set)
    php: set[str] = field(default_factory=set)
    dotnet: set[str] = field(default_factory=set)
    lacking: dict[str, str] = field(default_factory=dict)

    def add(self, files: SubjectFiles) -> None:
        """Add the projects of a version, while it is checked out."""
        suffixes = {path.rpartition(".")[2] for path in files.paths}
        if "rb" in suffixes:
            from code_adapter.counterfactual.ruby_cells import find_ruby_folders

            self.ruby |= find_ruby_folders(self.request, files, self.lacking)
        if "php" in suffixes:
            from code_adapter.counterfactual.phpunit_cells import find_php_folders

            self.php |= find_php_folders(self.request, files, self.lacking)
        if "csproj" in suffixes:
            from code_adapter.counterfactual.dotnet_cells import find_dotnet_folders

            self.dotnet |= find_dotnet_folders(self.request, files, self.lacking)

    def make_runners(self) -> Iterator[CellRunner]:
        """Make a runner for each project."""
        if self.ruby:
            from code_adapter.counterfactual.ruby_cells import RubyCells

            yield from (RubyCells(self.request, folder) for folder in sorted(self.ruby))
        if self.php:
            from code_adapter.counterfactual.phpunit_cells import PhpunitCells

            yield from (PhpunitCells(self.request, folder) for folder in sorted(self.php))
        if self.dotnet:
            from code_adapter.counterfactual.dotnet_cells import DotnetCells

            yield from (DotnetCells(self.request, folder) for folder in sorted(self.dotnet))
