"""Have a browser show a page, and keep of it what a reader sees."""
