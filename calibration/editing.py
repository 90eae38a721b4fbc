"""The board editor: a board file's template laid over a camera picture, dragged until it fits, and saved.

A template is what a board file says. Where the picture shows markers, they tell the scale and the plane, so every drag
is in true millimetres. What is printed (markers, grey and colour patches) stays where it is in the picture; the places
of the game are dragged.

What a page shows, `Editing.to_json()`; all points are picture pixels [x, y], centre of the top left pixel (0, 0):

    {"game": "infinity",
     "source": "infinity",               the board it was begun from: a game's name or a path
     "size": [1280, 720],                pixels of the picture that all points are for
     "corners": [[x, y] * 4],            the template's corners: top left, top right, bottom right, bottom left as seen
                                         on the board (entry end of Infinity's channels and S of Finity below)
     "handles": [{"place": "knob", "kind": "place" | "print", "x": 640.2, "y": 401.7}],
                                         what can be dragged alone
     "outlines": [{"place": "1.1", "kind": KIND, "points": [[x, y], ...], "closed": true}],
                                         KIND: board, channel, slot, well, knob, station, seat, bridge, tower, marker,
                                         patch
     "markers": {"seen": [0, 1], "missing": [2, 3]},
     "error_px": 0.31 | null,            how far the markers lie from where the board file has them; null without any
     "advice": [sentence],               what to do next, the most urgent first
     "board": {...},                     the board file as it would be saved
     "undo": 2,                          how many edits can be taken back
     "saved": null | "/path/my_board.json"}

An edit, the arguments of the page's command `edit_board`; `do` is one of:

    {"do": "begin", "board": "infinity" | "/path/board.json"}     begin, or begin anew, with a fresh picture
    {"do": "corners", "corners": [[x, y] * 4]}                    the corners were dragged there, in the order above
    {"do": "move", "place": "knob", "to": [x, y]}                 a handle was dragged there
    {"do": "set", "what": "channels.pitch", "value": 26.5}        a number of the board file
    {"do": "shape", "scale": 1.02, "scale_x": 1, "scale_y": 1, "shift_mm": [dx, dy], "turn_deg": 0.5}
                                                                  the whole template by numbers, each may be left out
    {"do": "measure_markers"}                                     the markers lie where the picture has them
    {"do": "undo"}
    {"do": "save", "path": "/path/my_board.json"}
    {"do": "close"}

`begin` and `close` belong to whoever holds the picture (`begin`, and forgetting the `Editing`); all others go to
`edit`. An edit that cannot be raises `BoardError` with every fault, and leaves the board as it was.
"""
