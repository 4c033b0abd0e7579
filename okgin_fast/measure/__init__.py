"""How strong and how fast: what the arena, the benchmark and the census are made of."""
