"""Pages about the tasks of repositories, for browsers and as JSON, served from an index of their ``.artifacts``."""
