"""The tools: their arguments, their answers, and the command line of the gate that each runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from verigate.domain.verdict import VERDICT_SCHEMA
from verigate.errors import ConfigError, Fault, UsageError
from verigate.formats.schema import Schema
from verigate.integrations.mcp import tool_schemas

INSTRUCTIONS = (
    "Verigate checks what is claimed to be done against facts that the project's own tools give. Call `verify` before "
    "you report that work is done, and report it only if it answers passed: true. If not, do the work; `explain` "
    "traces a check to its evidence. An error, or a verdict other than pass, means that the work is not verified. What "
    "only a person can decide, such as whether a check may ask less, put to them with `ask_person`."
)


class Tool(Struct, frozen=True):
    """One tool. ``answers`` is the ``schema`` member of the document that the command prints.

    ``by_verdict``: the command ends with the exit code of its verdict, and not with 0. ``command`` are the words that
    call it, empty: its name. ``asks``: it asks the person, and runs ``show`` for what the gate says.
    """

    name: str
    title: str
    description: str
    takes: Schema
    gives: Schema
    answers: str
    by_verdict: bool = False
    read_only: bool = True
    command: tuple[str, ...] = ()
    asks: bool = False

    def words(self, arguments: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the command line of the gate, without its launcher.

        No argument can become an option. Raises ConfigError for arguments that aren't of the tool's form.
        """
        if faults := self.takes.find_faults(dict(arguments)):
            raise ConfigError(Fault(item.message, self.name, item.pointer, hint=item.hint) for item in faults)
        if "check" in arguments and "task_id" not in arguments:
            raise UsageError("check needs a task", where="explain", hint="give task_id with check")
        options = [f"--{name}={arguments[name]}" for name in ("ref", "base", "profile") if name in arguments]
        options += [f"--only={name}" for name in arguments.get("only", ())]
        options += ["--staged"] if arguments.get("staged") else []
        named = [arguments[name] for name in ("task_id", "check") if name in arguments]
        options += [f"--type={arguments['type']}"] if "type" in arguments else []
        return (*(self.command or (self.name,)), "--json", *options, *(["--", *named] if named else []))


def make_tools(verdict: Mapping[str, Any]) -> Mapping[str, Tool]:
    """Return every tool by its name; ``verdict`` is the schema of verdict.json."""
    judged = Schema(tool_schemas.verdict_schema(verdict))
    every = (
        Tool(
            "verify",
            "Verify the work",
            "Verify a task of this repository, or what differs from the base: the project's own linters and tests run "
            "in a private checkout, and the facts are compared with the commitment and the claim. Takes as long as "
            "they take. Publishes the verdict and its evidence in .artifacts and changes nothing else. Fail, error and "
            "inconclusive are answers like pass; only passed: true means that the work is verified.",
            Schema(tool_schemas.argument_schema(tool_schemas.SUBJECT)),
            judged,
            VERDICT_SCHEMA,
            by_verdict=True,
            read_only=False,
        ),
        Tool(
            "plan",
            "Show what would run",
            "Show which capabilities `verify` would run for a task, by which adapters, and why. Nothing is executed.",
            Schema(tool_schemas.argument_schema(tool_schemas.SUBJECT)),
            Schema(tool_schemas.PLAN),
            "verigate:plan-report.v1",
        ),
        Tool(
            "show",
            "Show the verdict",
            "Show the published verdict of a task, after checking every digest of its evidence. Nothing is executed.",
            Schema(tool_schemas.argument_schema({"task_id": tool_schemas.TASK_ID})),
            judged,
            VERDICT_SCHEMA,
        ),
        Tool(
            "explain",
            "Explain a verdict",
            "Explain the published verdict of a task, or one check of it: what was expected, what was found, by which "
            "evidence, and the commands that show it again. Nothing is executed.",
            Schema(tool_schemas.argument_schema({"task_id": tool_schemas.TASK_ID, "check": tool_schemas.CHECK})),
            Schema(tool_schemas.EXPLANATION),
            "verigate:explanation.v1",
        ),
        Tool(
            "list",
            "List the tasks",
            "List the tasks of this repository with their verdicts; only intact ones count.",
            Schema(tool_schemas.argument_schema({})),
            Schema(tool_schemas.TASKS),
            "verigate:tasks-report.v1",
        ),
        Tool(
            "adapters",
            "Show the adapters",
            "Show the adapters that are found and which capabilities they provide. Nothing is executed.",
            Schema(tool_schemas.argument_schema({})),
            Schema(tool_schemas.ADAPTERS),
            "verigate:adapters-report.v1",
        ),
        Tool(
            "prove",
            "Prove the rules",
            "Plant a violation of each rule of a profile, each in a private clone, and show which rules stop theirs: "
            "whether a pass would mean anything here. The project's own linters and tests run for each; takes minutes. "
            "Changes nothing.",
            Schema(tool_schemas.argument_schema({"type": tool_schemas.TASK_TYPE})),
            Schema(tool_schemas.PROOFS),
            "verigate:proofs.v1",
            read_only=False,
            command=("doctor", "--prove"),
        ),
        Tool(
            "ask_person",
            "Ask the person",
            "Put a question to the person in front of this host, with what the gate says of the task next to it. For "
            "what you can't decide: whether a check may ask less, whether policy may change, what was meant. Their "
            "answer is words for you; it approves nothing, and no verdict changes by it.",
            Schema(
                tool_schemas.argument_schema(
                    {"question": tool_schemas.QUESTION, "task_id": tool_schemas.TASK_ID}, required=("question",)
                )
            ),
            Schema(tool_schemas.PERSON),
            "verigate:person.v1",
            command=("show",),
            asks=True,
        ),
    )
    return {tool.name: tool for tool in every}
