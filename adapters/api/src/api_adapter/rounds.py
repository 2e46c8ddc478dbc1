"""Call the documented endpoints in rounds, so that what fails only later, or after a write, is seen as well."""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec import Struct

from api_adapter.client import ApiResponse
from api_adapter.operations import Operation
from api_adapter.request_encoding import encode_call
from api_adapter.request_inputs import Input
from api_adapter.schemes import Credential, choose_credentials
from api_adapter.session import Choice, Session
from api_adapter.settings import DEFAULT_SAMPLES, SAFE_METHODS

MAX_FAILED = 3
"""Stop calling an endpoint after so many calls in a row without a response, since each may take the full timeout."""

MAX_SECONDS = 120.0
"""No further round begins after this time, since the capability has a timeout."""


class Called(Struct, frozen=True):
    """A called endpoint with its responses in call order; ``credentials`` is whether any were sent."""

    operation: Operation
    answers: tuple[ApiResponse, ...]
    credentials: bool

    @property
    def outcomes(self) -> list[int | str]:
        """All statuses and errors, without duplicates."""
        return sorted({answer.outcome for answer in self.answers}, key=str)

    @property
    def is_refused(self) -> bool:
        """Whether every response is a refusal, 4xx, and there is one."""
        return bool(self.answers) and all(
            answer.status is not None and 400 <= answer.status < 500 for answer in self.answers
        )


def call_endpoints(here: Session, choice: Choice) -> list[Called]:
    """Call each endpoint of ``choice`` in every round, in its order; endpoints that delete only in the last one.

    In the first round a safe endpoint has as many calls as the profile's ``samples`` ask for.
    """
    answers: dict[str, list[ApiResponse]] = {operation.id: [] for operation, _ in choice.called}
    start, last = time.monotonic(), here.settings.rounds - 1
    for number in range(here.settings.rounds):
        late = time.monotonic() - start > MAX_SECONDS
        for operation, given in choice.called:
            if late and not (operation.method == "DELETE" and number == last):
                continue
            if operation.method != "DELETE" or number == last:
                _call(here, operation, given, _count_calls(here, operation, given, number), answers[operation.id])
    return [
        Called(operation, tuple(answers[operation.id]), bool(_credentials(here, operation)))
        for operation, _ in choice.called
    ]


def _count_calls(here: Session, operation: Operation, given: Sequence[Input], number: int) -> int:
    if operation.method not in SAFE_METHODS:
        return len(given)
    samples = here.settings.samples
    return max(samples if number == 0 else min(samples, DEFAULT_SAMPLES), len(given))


def _call(here: Session, operation: Operation, given: Sequence[Input], count: int, answers: list[ApiResponse]) -> None:
    calls = [encode_call(operation, entry, _credentials(here, operation)) for entry in given]
    for index in range(count):
        if len(answers) >= MAX_FAILED and all(answer.status is None for answer in answers[-MAX_FAILED:]):
            break
        answers.append(here.client.call(calls[index % len(calls)]))


def _credentials(here: Session, operation: Operation) -> tuple[Credential, ...]:
    return choose_credentials(operation, here.schemes, here.settings, here.request.environ) or ()
