def validate(form):
    missing = [field for field in ("name", "age") if not form.get(field)]
    if missing:
        raise ValueError(f"{missing[0]} is missing")
    return form
