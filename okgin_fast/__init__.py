"""Gin rummy, exactly and fast: a solver and an opponent for Oklahoma Gin and its relatives."""

__version__ = "0.1.0"
