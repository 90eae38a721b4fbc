"""The board's firmware on a simulated chip: the very ELF that is flashed, run by libsimavr in a process of its own."""
