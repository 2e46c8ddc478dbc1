"""Which tests a change can affect, where a profile asks for no others."""
