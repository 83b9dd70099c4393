"""Link and evaluate: from the facts of a tree to its call sites with symbolic values."""

from fia_lint.evaluate.driver import evaluate
from fia_lint.evaluate.project import FactsSource

__all__ = ["FactsSource", "evaluate"]
