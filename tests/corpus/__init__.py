"""What the releases of the corpora must give, and how output is compared with it."""
