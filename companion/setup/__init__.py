"""Set-up from the first look through the camera to the first move, in the browser.

`draft` has what people have chosen so far, `steps` what is still missing, `rules` the house rules in words, `writing`
the files in the end: all pure, or nearly. `desk` keeps choices and pictures, `around` owns the devices (`viewfinder`
the camera, `listening` the board's sensors), `deeds` carry commands out, and `session` holds all together and answers
the page (`companion.page.setup`). Everything can be done by files and commands as well: docs/setup.md.

HTTP, all below `setup/`; addresses are relative:

    GET  ./                     the page (setup.html); its files from static/{name} as those of any page
    GET  events[?lang=pl]       server-sent events: `snapshot` {"state": STATE, "page": mark} first, `state` STATE at
                                every change, `beat` {}; STATE is always whole
    GET  state[?lang=pl]        the same, once
    GET  access                 {"may_command": bool} for the token that came along
    GET  preview.jpg            the newest picture with the markers drawn in; 204 where none is fresh
    GET  shot/{name}.jpg        a picture that was taken; 404 where it was not
    GET  board.jpg              the picture that the board editor's points are for; 404 without an editor
    POST command/{name}         {"seq", "transaction", "args"}, token in `X-Companion-Token`; answered as table commands
                                are: {"ok", "reason", "detail", "seq"}; a `seq` that is not the state's is "stale"

STATE (`text`: a sentence for people, in the language asked for):

    {"seq": 3,                          grows with everything that a person or a calibration changes; not with looks
     "step": "camera",                  the first step that is not done
     "steps": [{"name", "done", "problems": [text]}],    game, camera, mat, pictures, players, rules, ready
     "draft": {"game": "infinity" | "finity" | null,
               "names": {player: name},
               "setup": {"players", "pattern", "posts": {player: station}},      Finity; {} in Infinity
               "options": {option: value},                                       only those that differ from the default
               "camera": {"device", "width", "height"} | null,
               "board": path | null,                                             null is the built-in board
               "serial": {"port"} | {"usb_serial"} | null,
               "gpio": {...} | null,                                             as in docs/configuration.md
               "language": "en",
               "without_camera": bool},                                          somebody said that none looks on
     "games": [{"game", "players": [2, 3, 4]}],          how many may play; [2] where there is no choice
     "players": [{"player": "blue", "words": text}],     of the game chosen
     "stations": [station],                              where Finity's players may start; [] in Infinity
     "cameras": [{"device", "words": text}],
     "camera": {"state": "opening" | "ok" | "stale" | "lost", "words": text} | null,
     "ports": [{"device", "words": text, "serial": {...}}],      `serial` is what `choose_sensors` takes
     "sensors": {"state": "waiting" | "ok" | "stale" | "lost", "words": text} | null,      those chosen, while no game
                                                                                          has them; null without any
     "boards": [{"board": path | null, "words": text}],  for `choose_board`
     "look": {"markers": {"seen": [id], "missing": [id]}, "advice": [text], "ready": bool, "age_s": 0.4} | null,
     "shots": [{"name": "empty" | "first" | "second",
                "words": text,                           what to lay
                "suggested": state | null,               a position to copy; null for the bare board
                "state": state | null,                   what lies there by `enter_position`, else what is suggested
                "sight": {place: label} | null,          the same as the layout draws it
                "taken": bool,
                "problems": [text]}],
     "asked": name | null,                               the shot to take next
     "calibration": {"reprojection_error_px", "colour_margin", "doubtful": [text], "blind": [place], "ok": bool,
                     "stale": bool} | null,              ok: nothing doubtful; a game may begin all the same. stale:
                                                         pictures or board have changed since. The measures are null
                                                         of a calibration that was there before
     "rules": [{"option", "words": text, "kind": "bool" | "int" | "number" | "choice", "choices": [value],
                "choice_words": [text], "value", "default", "may_be_null": bool}],
     "knob": "cw" | "ccw" | null,                        which way it turns for Blue; null in a game without a knob
     "knob_seen": 0 | null,              clicks clockwise since the knob was first heard, at rest; null where none is
     "layout": {...},                                    of the board, for tapping (`companion.page.layout`); {} early
     "labels": {place: [label]},                         what may stand at each place; "." is nothing
     "board_editor": {...} | null,                       `calibration.editing`
     "busy": {"what": text, "progress": text} | null,    nothing else can be changed meanwhile
     "error": text | null,                               of what went on by itself; gone with the next command
     "files": {"config": path, "calibration": path | null},
     "simulated": bool,
     "saved": bool,                                      the files say what the draft says
     "playing": bool,                                    a game is refereed at `../`
     "new_game": [text],                                 why `begin` would begin another game than the one under way
     "ready": bool}                                      `save` and `begin` can be given

A position (`state` of a shot) has the form of reference states: Infinity {"board", "well"?, "knob_stop"?}, Finity
{"players", "bridges", "rings", "posts", "blockers"}; both may have "hidden": [place]. `enter_position` also takes
{"sight": {place: label}, "well"?, "knob_stop"?}: what is not named is empty.

Commands and their args:

    choose_game     {"game", "players"?}
    choose_camera   {"device" | null, "width"?, "height"?}     null: no camera; sensors feel the moves,
                                                               or people enter them on the page
    choose_board    {"board": path | null}
    choose_sensors  {"serial"?: {...} | null, "gpio"?: {...} | null}
    take_shot       {"name"}                answers when the picture is taken (up to 4 s)
    drop_shot       {"name"}
    enter_position  {"name", "state"}       what really lies there
    calibrate       {}                      goes on in the background: `busy`, then `calibration` or `error`
    set_names       {"names": {player: name}}              "" takes a name away
    set_rules       {"options": {option: value}}           those named; others stay
    set_game        {"pattern"?, "posts"?: {player: station} | null}
    set_knob        {"blue_knob": "cw" | "ccw"}
    try_knob        {}                      somebody turns the knob: `knob_seen` says which way; refused where none
                                            is heard
    set_language    {"language"}
    edit_board      {"do", ...}             `calibration.editing`; paths are names of files beside the config
    save            {}
    begin           {}                      saves, then `busy`, then `playing`: go to `../` when that is true
"""
