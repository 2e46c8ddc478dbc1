def fields(line):
    result, field, quoted = [], "", False
    for character in line:
        if character == '"':
            quoted = not quoted
            field += character
        elif character == "," and not quoted:
            result.append(field)
            field = ""
        else:
            field += character
    return [*result, field]
