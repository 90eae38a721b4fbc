"""A simulated table with its camera, serial device, pins, players and faults, for tests without hardware."""
