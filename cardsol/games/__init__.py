"""The games, one module each; `cardsol.registry` finds them by name."""
