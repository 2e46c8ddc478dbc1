"""Whether a change may concern tests: by paths alone, generously, since a capability then looks at them closely."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

COMPARES_TESTS = "code:counterfactual"
"""Runs changed tests on the code of base and subject."""

COMPARES_POWER = "code:sensitivity"
"""Tries mutants on changed tests, where the cells leave it to them."""

RUNS_TESTS = "code:tests"

_PLACES = re.compile(
    r"(?:^|[/._-])(?:tests?|specs?|testing|testdata|conftest|fixtures?|snapshots?|mocks?|goldens?|cassettes?|e2e)(?=[/._-]|$)"
    r"|(?:^|/)test[^/]*\.py$|(?:tests?|testcase|specs?)\.(?:java|kt|kts|groovy|scala|php|cs|fs|vb|swift|cpp|cc|c|dart|rb)$"
    r"|\.(?:snap|ambr|rs|bats|t|phpt|robot|feature)$|(?:^|/)\.rspec$|(?:^|/)phpunit\.[^/]*xml[^/]*$",
    re.IGNORECASE,
)
_SETTINGS = re.compile(
    r"(?:^|/)(?:pyproject\.toml|setup\.cfg|tox\.ini|noxfile\.py|\.?pytest\.(?:ini|toml)|package\.json|\.mocharc[^/]*"
    r"|(?:jest|vitest|ava|karma)\.[^/]*|\.coveragerc|\.gitattributes|Cargo\.toml)$"
)


def may_change_tests(paths: Iterable[str], runs_doctests: Callable[[], bool] = lambda: False) -> bool:
    """Whether one of ``paths`` may be a test, its support or data, or settings of a runner.

    Sources of Rust have tests in them, and those of Python where the runner ``runs_doctests``.
    """
    listed = tuple(paths)
    if any(_PLACES.search(path) or _SETTINGS.search(path) for path in listed):
        return True
    return any(path.endswith(".py") for path in listed) and runs_doctests()
