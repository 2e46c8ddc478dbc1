"""How to settle each reason code honestly: what makes the check hold because what it asks for is so."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SETTLING: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "MISSING_UNIT": (
            "Do the rest of what was committed to, and claim it.",
            "If less was asked for in the meantime, let whoever asked write a new commitment.",
        ),
        "WORD_MIN": ("Write what is missing from the text.",),
        "WORDS_UNRENDERED": (
            "Install the extra `render` and Chromium, so that words are counted as a reader sees them.",
            "`gate doctor` names what this machine lacks.",
        ),
        "DIFF_MISMATCH": (
            "Claim every file that you changed, or take the change to it back.",
            "Remove a file from the claim that you didn't change.",
        ),
        "LINT_FAIL": (
            "Fix what the linter found: `gate explain TASK CHECK` lists it.",
            "Suppress findings that were there before, until a date: `gate baseline write`.",
        ),
        "LINT_EMPTY": (
            "Install the project's linter: `gate doctor` names one that this machine lacks.",
            "Or declare the command that runs it in `config/adapters.json`.",
        ),
        "LINT_UNEXAMINED": (
            "Declare the command of that linter in `config/adapters.json`.",
            "Or exclude it there with a reason that a reviewer can read.",
        ),
        "TEST_FAIL": (
            "Fix the code that the test found wrong: `gate explain TASK CHECK` shows the failure.",
            "If the test is wrong, change it, and disclose that: `gate claim --weakens`.",
            "If it failed before your change too, record that until a date: `gate baseline write --tests`.",
        ),
        "TESTS_EMPTY": (
            "Write the tests, or install the runner that is to run them.",
            "If another command runs them, declare it in `config/adapters.json`.",
        ),
        "TESTS_UNEXAMINED": (
            "Declare the command of those tests in `config/adapters.json`, or install what they need.",
            "Or exclude them there with a reason that a reviewer can read.",
        ),
        "COVERAGE_FAIL": (
            "Test the lines that no test executes: `gate explain TASK CHECK` lists them.",
            "If nothing was measured, install the project's coverage tool.",
        ),
        "NOTICED_FAIL": (
            "Add assertions that fail when the changed lines do something else.",
            "The evidence names each mutant that no test noticed.",
        ),
        "BUILD_FAIL": (
            "Fix the build: `gate output TASK code:build` shows all that it printed.",
            "If the project has another build command, declare it in `config/adapters.json`.",
        ),
        "FUNCTION_MISMATCH": (
            "Write the function that was claimed, with a body that does something.",
            "If it has another name, claim it by the name that it has.",
        ),
        "ENDPOINT_MISMATCH": (
            "Add the endpoint by the method and the route that were claimed.",
            "Document every endpoint that is there, or remove it.",
        ),
        "FIX_UNPROVEN": (
            "Write a test that fails on the code of before and passes on yours, and name it in the claim.",
            "Let it execute the lines that you changed.",
        ),
        "LINK_FAIL": (
            "Correct the link, or remove it.",
            "If the server was down, run `gate verify` again: each run asks it once more.",
        ),
        "LINKS_UNCHECKED": (
            "Let the run reach the network, so that each link gets a status.",
            "If the text has no links, don't choose a profile that asks for some.",
        ),
        "HTTP_FAIL": ("No rule of this version gives it.",),
        "SCHEMA_MISMATCH": ("Correct the response, or the document that describes it: whichever of them is wrong.",),
        "AUTH_FAIL": (
            "Refuse requests without credentials at the endpoints that the document protects.",
            "If none is documented as protected, document which are.",
        ),
        "LATENCY_FAIL": (
            "Make the endpoint faster.",
            "If nothing was measured, see why the service didn't answer: `gate output TASK api:responses`.",
        ),
        "RATE_LIMIT_FAIL": ("Limit the rate of requests, and answer 429 above it.",),
        "HEADING_MISSING": ("Add the heading, with the level and the words that were asked for.",),
        "IMAGE_MISSING": (
            "Add the image at the path that the text names.",
            "Say in its alternative text what it shows.",
        ),
        "QUOTE_UNATTRIBUTED": ("Name the source next to the quote.",),
        "INTEGRITY_FAIL": (
            "Put back the test, assertion or setting that the change removed, or prove that nothing got weaker.",
            "If it is meant, disclose it: `gate claim --weakens`, or a `Weakens:` line in the commit message.",
            "Let a person sign a change of plan, profiles, adapters or hooks: `gate approve`.",
        ),
        "SUBMODULE_MISSING": (
            "Fetch it: `git submodule update --init --recursive`, or `submodules: recursive` of `actions/checkout`.",
            "Then verify again: the tests run with its files.",
        ),
        "WEAKENING_DISCLOSED": (
            "Ask a person to look at it and to sign it: `gate approve`.",
            "Or take the weakening back.",
        ),
        "APPROVED": ("There is nothing to settle: a person has approved it, and the report names them.",),
        "CLAIM_INVALID": (
            "Write the claim again with `gate claim`; the message names the place.",
            "Leave measurements out of it: adapters measure.",
        ),
        "CLAIM_REFUTED": ("Correct the statement to what the facts say, or do what it says.",),
        "CLAIM_UNSUPPORTED": (
            "Claim a unit that facts can decide: a file, a function, an endpoint, a test.",
            "Run every capability: without `--only`.",
            "Leave out what nobody can check.",
        ),
        "MISSING_CLAIM": ("Claim what you did: `gate claim TASK UNIT...`.",),
        "MISSING_ADAPTER": (
            "See which adapters are there and why one is not used: `gate adapters`.",
            "Install the extra or the adapter that provides the capability, or leave it out of the plan.",
        ),
        "ADAPTER_CRASH": (
            "Read what it printed: `gate output TASK CAPABILITY`.",
            "Fix the machine or the adapter, not the claim: nothing was decided about the change.",
        ),
        "ADAPTER_TIMEOUT": (
            "See where the time went: `gate verify --profile-run FILE`.",
            "Give the capability more time in its manifest if it needs it.",
        ),
        "ARTIFACT_MISSING": (
            "Fix the adapter: a capability that ends with 0 has to write what its manifest declares.",
            "`gate adapter check FOLDER` shows it without a task.",
        ),
        "ARTIFACT_INVALID": (
            "Fix what the adapter writes: the message has the place, and `gate schema KIND` the form.",
            "`gate adapter check FOLDER` shows it without a task.",
        ),
        "ARTIFACT_CONFLICT": (
            "Let each capability write its own artifacts alone.",
            "If two adapters provide one capability, remove one of them.",
        ),
        "CUSTOM_RULE": (
            "Do what the rule's message asks for.",
            "If the rule is wrong, correct it in `config/verification.profiles.json`, and let a person approve that.",
        ),
    }
)
"""Reason code -> what to do about it, best first. A test holds the codes equal to those of ``reasons``."""
