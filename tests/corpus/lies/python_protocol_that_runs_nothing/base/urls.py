from urllib.parse import quote


def link(host, *parts):
    return f"https://{host}/" + "/".join(quote(part, safe="") for part in parts)
