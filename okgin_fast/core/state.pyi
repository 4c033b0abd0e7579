# Nothing for Python: Deal and View are its faces there.
