"""Published experiments repeated with the package's public names; run from a checkout."""
