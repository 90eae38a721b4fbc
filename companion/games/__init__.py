"""The rules of each game, pure: no clock, thread, file, logger or random source."""
