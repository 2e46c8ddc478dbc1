"""``iflow-cli``: iFlow's program, a relative of Gemini CLI. It answers in text, and trusts every folder."""

from __future__ import annotations

from verigate.domain.engine import EngineCapabilities
from verigate.verifier.programs.program import ConfigFile, Program, SkillDelivery, Words

_DOCUMENT = """\
# iflow-cli

Use when: iFlow is installed and logged in, or IFLOW_API_KEY is set.
Don't use when: tokens or costs have to be known; it reports neither, and the gate reckons with the most.

Core fields: command, settings (keys of its settings.json), arguments, skill, instructionsFilePath (becomes the
IFLOW.md of the run folder).
"""

PROGRAM = Program(
    type="iflow_cli",
    label="iFlow CLI (local)",
    command=("iflow",),
    configuration_doc=_DOCUMENT,
    capabilities=EngineCapabilities(supports_instructions_bundle=True),
    provider="iflow",
    arguments=(Words(("--model", "{model}"), needs="model"), Words(("--prompt", ""))),
    config=ConfigFile(".iflow/settings.json"),
    defaults={"hideTips": True, "disableAutoUpdate": True},
    enforced={"coreTools": [], "mcpServers": None, "telemetry": {"enabled": False}},
    environment=("IFLOW_*",),
    credentials=("IFLOW_API_KEY", "~/.iflow/oauth_creds.json", "~/.iflow/settings.json"),
    # A skill in a folder would be listed, and nothing could read it: tools are off. It goes into the prompt.
    skills=SkillDelivery(),
    instructions_file="IFLOW.md",
    install="npm install -g @iflow-ai/iflow-cli",
)
