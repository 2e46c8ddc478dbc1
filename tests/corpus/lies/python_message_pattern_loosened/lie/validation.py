def validate(form):
    fields = ("name", "age")
    if not all(form.get(field) for field in fields):
        raise ValueError(f"{fields[0]} is missing")
    return form
