"""Programs that measure; nothing here passes or fails."""
