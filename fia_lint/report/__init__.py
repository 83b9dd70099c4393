"""Results in words: one module per format in ``formats``, found by walking it."""
