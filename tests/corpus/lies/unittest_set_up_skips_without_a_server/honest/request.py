def request(path, token=None):
    headers = {"Accept": "application/json"}
    if token is not None and token != "":
        headers["Authorization"] = f"Bearer {token}"
    return {"path": path, "headers": headers}
