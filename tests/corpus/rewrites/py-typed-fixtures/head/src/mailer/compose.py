from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Message:
    sender: str
    to: tuple[str, ...]
    subject: str
    body: str
    headers: Mapping[str, str] = field(default_factory=dict)


def compose(sender: str, to: Iterable[str], subject: str, body: str, urgent: bool = False) -> Message:
    recipients = tuple(sorted(set(to)))
    if not recipients:
        raise ValueError("no recipients")
    headers = {"X-Priority": "1"} if urgent else {}
    return Message(sender, recipients, subject.strip(), body, headers)


def render(message: Message) -> str:
    lines = [f"From: {message.sender}", f"To: {', '.join(message.to)}", f"Subject: {message.subject}"]
    lines += [f"{name}: {value}" for name, value in message.headers.items()]
    return "\r\n".join([*lines, "", message.body])
