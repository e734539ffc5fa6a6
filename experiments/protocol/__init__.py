"""What every experiment needs: splits, noise, tests, tables, and a store of what was run."""
