"""Our trees beside those of other libraries: whole Python calls, side by side in one run."""
