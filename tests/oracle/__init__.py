"""An oracle that knows nothing of the tool: generated programs, run for real, and what the operator received.

``programs`` writes programs, ``execute`` runs them with a stub of the operator, ``compare`` holds what the stub received
against what the tool says of the same call under the same inputs.
"""
