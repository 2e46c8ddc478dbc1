def event(kind, at):
    return {"kind": kind, "at": float(at)}
