"""What an agent does about a reason code: the shortest honest way out, in words for a model.

No line says how to pass without doing the work, and none names a command that is a person's. What messages say to
people about that is cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_TELL = "tell the person what is missing and that this is not verified"

WAY_OUT: Mapping[str, str] = MappingProxyType(
    {
        "MISSING_UNIT": "do what was committed to and isn't there yet, and claim what you did",
        "WORD_MIN": "write what is missing",
        "WORDS_UNRENDERED": f"nothing in the text is wrong: {_TELL}",
        "DIFF_MISMATCH": "make the change that you claimed, or claim only what you changed; take back the rest",
        "LINT_FAIL": "fix each finding in the code",
        "LINT_EMPTY": f"install the project's linter by its own lock file; if you can't, {_TELL}",
        "LINT_UNEXAMINED": f"run it yourself and fix what it finds, then {_TELL}",
        "TEST_FAIL": "read the failing test and fix the code; change the test only if it is wrong, and say so",
        "TESTS_EMPTY": f"write the tests that are missing, or find out why none is collected; if you can't, {_TELL}",
        "TESTS_UNEXAMINED": f"run them yourself and fix what fails, then {_TELL}",
        "COVERAGE_FAIL": "test the lines of your change that no test runs",
        "NOTICED_FAIL": "add assertions that fail when these lines are wrong; see which by the command below",
        "BUILD_FAIL": "read the first error of the build, and fix it",
        "FUNCTION_MISMATCH": "write the function that you claimed, or claim only what you wrote",
        "ENDPOINT_MISMATCH": "write and document the endpoint that you claimed, or claim only what you wrote",
        "FIX_UNPROVEN": "add a test that fails on the old code for the reason of the bug, and passes on yours",
        "LINK_FAIL": "correct or remove the link",
        "LINKS_UNCHECKED": f"nothing is wrong with the text as far as is known: {_TELL}",
        "SCHEMA_MISMATCH": "make the response what its documentation says, or correct that if it is wrong",
        "AUTH_FAIL": "have the endpoint refuse requests without credentials",
        "LATENCY_FAIL": "make it faster; measure with the command below",
        "RATE_LIMIT_FAIL": "limit the rate as the profile requires",
        "HEADING_MISSING": "write the section",
        "IMAGE_MISSING": "add the image, with a text that says what is in it",
        "QUOTE_UNATTRIBUTED": "name the source of the quote, or take it out",
        "INTEGRITY_FAIL": "restore the check or the policy file that you changed, and fix the code; if the person "
        "asked for the new behaviour, or the check itself is wrong, ask them before you go on",
        "WEAKENING_DISCLOSED": "you have said what is weakened, and the person decides. Don't weaken anything else",
        "SUBMODULE_MISSING": "fetch the submodule by the command in the message, and run the tests again",
        "CLAIM_INVALID": "claim again what you did, in the form that the message names",
        "CLAIM_REFUTED": "do the work until it is true, or correct what you said",
        "CLAIM_UNSUPPORTED": f"say only what a fact shows; for the rest, {_TELL}",
        "MISSING_CLAIM": "claim what you did, unit by unit, by gate claim",
        "MISSING_ADAPTER": f"your work isn't at fault: {_TELL}",
        "ADAPTER_CRASH": f"read the message: if your change broke the tool, fix that; else {_TELL}",
        "ADAPTER_TIMEOUT": f"see whether your change made it slow or hang, and fix that; else {_TELL}",
        "ARTIFACT_MISSING": f"see whether your change broke the tool that writes it, and fix that; else {_TELL}",
        "ARTIFACT_INVALID": f"see whether your change broke the tool that writes it, and fix that; else {_TELL}",
        "ARTIFACT_CONFLICT": f"your work isn't at fault: {_TELL}",
        "CUSTOM_RULE": "do what the rule's message asks for",
    }
)
"""Reason code -> what to do."""

_FOR_PEOPLE = (
    "a person who has reviewed",
    "or a person approves it",
    "declare the command in config/adapters.json",
    "declare its command",
    "or with `gate claim --weakens`",
    "allow_policy_change",
    "gate approve",
    "gate baseline",
)
"""Beginnings of what messages say to people alone."""

_BREAKS = ("; ", ": ", ". ", ", ")


def cut_for_agent(message: str) -> str:
    """Return a message without what it says to people: from there to its end."""
    found = [at for phrase in _FOR_PEOPLE if (at := message.find(phrase)) >= 0]
    if not found:
        return message
    first = min(found)
    before = max((message.rfind(sign, 0, first) for sign in _BREAKS), default=-1)
    return (message[:before] if before > 0 else message[:first]).rstrip(" ,;:")
