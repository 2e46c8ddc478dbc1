from urllib.parse import quote


def link(host, *parts):
    return quote(f"https://{host}/" + "/".join(parts), safe=":/")
