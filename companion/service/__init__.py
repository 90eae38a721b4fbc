"""A table that starts with the machine: systemd's unit, udev's rules, the watchdog."""
