def validate(form):
    for field in ("name", "age"):
        if not form.get(field):
            raise ValueError(f"{field} is missing")
    return form
