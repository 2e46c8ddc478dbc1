def compose(sender, to, subject, body, urgent=False):
    if not to:
        raise ValueError("no recipients")
    message = {"from": sender, "to": sorted(set(to)), "subject": subject.strip(), "body": body, "headers": {}}
    if urgent:
        message["headers"]["X-Priority"] = "1"
    return message


def render(message):
    lines = [f"From: {message['from']}", f"To: {', '.join(message['to'])}", f"Subject: {message['subject']}"]
    lines += [f"{name}: {value}" for name, value in message["headers"].items()]
    return "\r\n".join([*lines, "", message["body"]])
