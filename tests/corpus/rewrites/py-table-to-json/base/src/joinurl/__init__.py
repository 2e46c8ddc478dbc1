def join(base, *parts):
    """Join path segments to a base with exactly one slash between them; '..' takes one away."""
    scheme, separator, rest = base.partition("://")
    host, *path = (rest if separator else scheme).split("/")
    path = [segment for segment in path if segment]
    for part in parts:
        for segment in part.split("/"):
            if segment == "..":
                if not path:
                    raise ValueError(f"{part} leaves {base}")
                path.pop()
            elif segment not in ("", "."):
                path.append(segment)
    joined = "/".join([host, *path])
    return f"{scheme}://{joined}" if separator else joined
