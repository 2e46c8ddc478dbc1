from urllib.parse import quote


def link(host, *parts):
    return "/".join([f"https://{host}", *(quote(part, safe="") for part in parts or [""])])
