"""Read how a project calls pytest by itself: in tox, nox, make, hatch, tasks and pipelines."""
