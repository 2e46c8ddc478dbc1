"""Engines that are programs: a description of each, and the one engine that runs them."""
