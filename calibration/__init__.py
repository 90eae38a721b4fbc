"""Boards as named places in space, and where a camera sees them.

`calibration.procedure.calibrate` makes a `calibration.file.Calibration` out of an empty picture and pictures of known
positions; `calibration.board` has the boards. Modules are imported by name, so that a board can be read without OpenCV.
"""
