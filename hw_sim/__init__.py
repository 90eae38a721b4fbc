"""A simulated table with its camera, serial device, pins, players and faults, for tests without hardware.

    table.py        marbles, knob and hands in time; every act of a person takes human time
    game_run.py     a whole game as fast as it can be computed, with everything that its devices would give
    live.py         the same game in real time, behind a serial port that any program can open
    serial_port.py  a pty behind a path, which can be pulled; pins.py: gpiozero's pins, driven by the table
    camera/         draws a scene as a picture; senses.py: what a reader of pictures would say, without pictures
    players.py      who plays; breaches.py: ten ways of breaking the rules; faults.py: what goes wrong
    finity/         the same for the table of Finity: table.py, game_run.py, senses.py, players.py, breaches.py, camera/
    recording.py    a game as a folder that `companion referee --recording` plays
    pytest_plugin.py  fixtures: sim_table, sim_clock, sim_serial_port, sim_pins, sim_game, and sim_finity_table, _game

Everything is seeded, every fault is off by default, and time passes only where it is told to.
"""
