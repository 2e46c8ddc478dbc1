"""What an engine sent to its model, as far as it knows: part of the result of one execution."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

NOT_SETTABLE = "not settable"
"""The value of a sampling parameter that the engine has no way to send."""

NOT_REPORTED = "not reported"
"""The value of a sampling parameter of which the engine says nothing."""


class SentSkill(Struct, frozen=True, rename="camel"):
    """A skill that the model could use. ``sha256`` is the digest of its folder before the gate adds to SKILL.md."""

    id: str
    sha256: str


class SentRequest(Struct, frozen=True, rename="camel"):
    """What was sent: ``temperature`` and ``seed`` as numbers, or one of the words above.

    ``prompt`` is the rendered prompt, ``system_prompt`` what was sent apart from it. ``files`` are texts that the
    program or its model reads besides, by name (``SKILL.md``). ``resumed`` is the id of the session that was resumed.
    """

    temperature: float | str = NOT_REPORTED
    seed: int | str = NOT_REPORTED
    prompt: str | None = None
    system_prompt: str | None = None
    skill: SentSkill | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    resumed: str | None = None

    @property
    def text(self) -> str | None:
        """System prompt and prompt together; None if the prompt isn't reported."""
        if self.prompt is None:
            return None
        return self.prompt if self.system_prompt is None else f"{self.system_prompt}\n{self.prompt}"
