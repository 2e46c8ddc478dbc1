def event(kind, at):
    return {"kind": kind, "at": int(at)}
