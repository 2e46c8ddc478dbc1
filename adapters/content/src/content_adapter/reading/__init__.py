"""A file of any format as the HTML that its own processor makes of it."""
