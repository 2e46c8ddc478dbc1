"""Run one capability on the present commit with other files of configuration, in the sandbox. Nothing is published."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from verigate.config.files import read_bytes
from verigate.domain.known_failures import TESTS
from verigate.domain.policy_names import CONFIG_FILES
from verigate.domain.policy_source import PolicyUse
from verigate.domain.subject import SubjectKind
from verigate.errors import UsageError
from verigate.integrations.setup.commit_with_files import make_present_commit
from verigate.integrations.setup.json_layout import lay_out
from verigate.usecases.request import Request
from verigate.usecases.services import Services
from verigate.usecases.settle.ladder import Trial
from verigate.usecases.settle.obstacles import find_obstacle
from verigate.usecases.suite_fixes import SuiteFix
from verigate.usecases.verify import Verified, verify

_MAX_FILE = 64 * 1024 * 1024


class CapabilityBench:
    """``break_tests`` returns the repository's test files with a content that fails, by path.

    After ``deadline``, by the monotonic clock, no other run should start.
    """

    def __init__(
        self, root: Path, services: Services, break_tests: Callable[[], Mapping[str, bytes]], deadline: float
    ) -> None:
        self._root = root
        self._services = services
        self._break_tests = break_tests
        self._deadline = deadline

    @property
    def is_out_of_time(self) -> bool:
        """Whether no other run may start."""
        return time.monotonic() > self._deadline

    def try_files(self, capability: str, fixes: Sequence[SuiteFix]) -> Trial:
        """Run the capability with these files in place of those that are there. Raises GateError."""
        verified = self._verify(capability, fixes, {})
        left = find_obstacle(verified, capability)
        return Trial(left, _count(verified, "total"), _count(verified, "skipped"))

    def notices_broken_tests(self, capability: str, fixes: Sequence[SuiteFix]) -> bool | None:
        """Whether the capability fails once every test file is broken; None if there is none."""
        broken = self._break_tests()
        if not broken:
            return None
        left = find_obstacle(self._verify(capability, fixes, broken), capability)
        return left is not None and left.suite is not None and left.suite.failed > 0

    def _verify(self, capability: str, fixes: Sequence[SuiteFix], more: Mapping[str, bytes]) -> Verified:
        files = dict(more)
        for name in CONFIG_FILES:
            content = read_bytes(self._root / name, shown=name, max_bytes=_MAX_FILE)
            if content is not None:
                files[name] = content
        written = {fix.path: lay_out(self._root, fix.path, fix.content) for fix in fixes}
        files |= {path: content.encode("utf-8", "surrogateescape") for path, content in written.items()}
        present = make_present_commit(self._root, files, self._services.environ)
        if present is None:
            raise UsageError("there is no commit yet", where=str(self._root), hint="commit, then try again")
        request = Request(
            None,
            SubjectKind.COMMIT,
            present,
            present,
            only=(capability,),
            use_cache=False,
            llm=False,
            whole=True,
            policy_use=PolicyUse.OWN,
        )
        return verify(request, self._services)


def _count(verified: Verified, key: str) -> int:
    suites = [item.value for run in verified.runs for item in run.artifacts if item.media_spec == TESTS]
    return sum(int(suite[key]) for suite in suites)
