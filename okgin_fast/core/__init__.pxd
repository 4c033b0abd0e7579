"""The version of the Cython API: see docs/cython.md for what is in it and when it changes."""

cdef enum:
    API_VERSION = 1
