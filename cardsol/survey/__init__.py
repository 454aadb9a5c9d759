"""Many deals, solved or played, and what they add up to."""
