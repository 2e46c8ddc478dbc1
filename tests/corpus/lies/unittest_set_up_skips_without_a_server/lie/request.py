def request(path, token=None):
    headers = {"Accept": "application/json"}
    if token is None:
        headers["Authorization"] = f"Bearer {token}"
    return {"path": path, "headers": headers}
