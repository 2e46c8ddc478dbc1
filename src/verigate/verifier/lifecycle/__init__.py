"""The five phases of one execution of an engine: configure, set up, build context, execute, parse."""
