"""The command line: one file a command. Nothing costly is imported before a command runs."""
