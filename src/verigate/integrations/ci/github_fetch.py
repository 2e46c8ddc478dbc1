"""The step of the action that fetches the target branch, with the token, before anything of the change runs.

It never fails the job: what it can't fetch, the step that verifies tries without a token, and reports.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from pathlib import Path

from verigate.errors import GateError
from verigate.integrations.ci.change import read_change
from verigate.integrations.ci.history import History
from verigate.integrations.ci.policy import fetch_target


def fetch(environ: Mapping[str, str], say: Callable[[str], None]) -> int:
    """Fetch the branch that the change lands on; write its ref as the output ``fetched``, and return 0.

    Nothing is fetched where the input ``policy-ref`` names another ref.
    """
    if environ.get("INPUT_POLICY_REF"):
        return 0
    root = Path(environ["GITHUB_WORKSPACE"], environ.get("INPUT_WORKING_DIRECTORY") or ".")
    try:
        found = fetch_target(read_change(environ), History(root, _with_token(environ)))
    except GateError as problem:
        say(f"gate: the target branch was not fetched: {problem.faults[0]}")
        return 0
    if found is not None:
        with Path(environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as file:
            file.write(f"fetched={found}\n")
    return 0


def _with_token(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment in which git sends the token to the server of the job, and to nobody else.

    As https://github.com/actions/checkout does, but by variables: an argument could be seen by other processes.
    """
    token, server = environ.get("INPUT_TOKEN"), environ.get("GITHUB_SERVER_URL")
    own = {name: value for name, value in environ.items() if name != "INPUT_TOKEN"}
    if not token or not server:
        return own
    secret = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    name = f"http.{server}/.extraheader"
    return {
        **own,
        "GIT_TERMINAL_PROMPT": "0",
        # The empty value drops the header that a checkout with credentials has left: two are refused.
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": name,
        "GIT_CONFIG_VALUE_0": "",
        "GIT_CONFIG_KEY_1": name,
        "GIT_CONFIG_VALUE_1": f"AUTHORIZATION: basic {secret}",
    }
