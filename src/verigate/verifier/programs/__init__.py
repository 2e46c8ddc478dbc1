"""Engines that are programs: what each is, as data, and the one engine that starts them all."""
