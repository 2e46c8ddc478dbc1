"""Read commit messages, whose imperative subjects state what a change does."""
