"""``code:integrity``: detect changes that weaken tests, linters and other checks of the change."""
