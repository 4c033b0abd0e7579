"""The compiled core: hands as bit masks, melds, deals, belief and search.

Everything that must be fast lives here, in C integers and without the GIL. The modules hand
out the package's value classes at their Python boundary and know nothing of text records,
players or faces.
"""

API_VERSION = 1
"""Of the Cython API, as installed at run time; `__init__.pxd` has the same number."""
