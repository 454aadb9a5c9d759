"""What tests share: the engine and the command as one calls them, positions, tables of command lines."""
