"""Advise an agent, in one line after an edit, that a file checks less than at HEAD: by its changed lines alone."""
