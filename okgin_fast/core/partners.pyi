"""Tables for other Cython code; nothing for Python."""
