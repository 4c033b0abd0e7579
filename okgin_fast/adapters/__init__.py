"""Other programs' gin rummy: their players at our table, ours at theirs; one module a program.

Each module needs the extra of its program, and is imported only by whoever asks for it.
"""
