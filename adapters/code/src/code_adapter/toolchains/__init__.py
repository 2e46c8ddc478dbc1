"""The toolchains of compiled languages: how they are called, and what their errors mean."""
