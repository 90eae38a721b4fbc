"""Boards as named places in space, and where a camera sees them.

`calibration.infinity` and `calibration.finity` make a `calibration.file.Calibration` out of an empty picture and
pictures of known positions; `calibration.board` reads boards. Modules are imported by name, so that a board can be read
without OpenCV.
"""
