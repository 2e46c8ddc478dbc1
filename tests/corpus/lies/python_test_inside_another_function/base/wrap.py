def wrap(text, width):
    words, lines, line = text.split(), [], ""
    for word in words:
        if len(line) + len(word) > width:
            lines.append(line.strip())
            line = ""
        line += word + " "
    return lines
