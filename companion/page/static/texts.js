// Every text of the page. A further language is a further entry here; {words} in braces are filled in.

const CATALOGUE = {
  en: {
    "score": "Score",
    "paths": "Paths",
    "board": "Board",
    "events": "What happened",
    "camera": "Camera",
    "devices": "Devices",
    "commands": "At the table",

    "game.infinity": "Rubik's Infinity",
    "game.finity": "Finity",
    "player.blue": "Blue",
    "player.yellow": "Yellow",

    "link.live": "Live",
    "link.connecting": "Connecting …",
    "link.lost": "Connection lost since {time}. Trying again …",

    "score.even": "Even",
    "score.leads": "{player} leads",
    "score.won": "{player} has won",
    "turn": "{player} to move",
    "turn.anybody": "Anybody may start",
    "turn.paused": "Paused",
    "hand": "A hand is over the board; the referee waits.",

    "path.length": "{length} of {goal}",
    "walk.path": "{player}'s longest path: {walk}.",
    "walk.no_path": "{player} has no path yet.",
    "walk.held": "{player}'s rings on {station} ({sizes}) are held by {walk}.",
    "walk.unheld": "{player}'s rings on {station} ({sizes}): no path leads there.",
    "walk.hangs_on": "Every path there needs the bridge {bridges}.",
    "walk.and": " and ",
    "walk.threatened": "{mover} could cut rings off by: {moves}.",
    "walk.hint": "Point at a ring, or tap it, to see what holds it; at a player to see the longest path.",
    "walk.key": "Letter in a diamond: the next move could cut this ring off.",
    "size.S": "small",
    "size.M": "medium",
    "size.L": "large",
    "ring": "{player}'s {size} ring on {station}",
    "orphans": "Please take off",
    "orphans.why": "No path leads there any more.",

    "over": "Game over",
    "over.draw": "A draw",
    "question": "The referee asks",
    "question.keys": "Or press the number on the keyboard.",
    "question.look_on": "Somebody who may take part has to answer.",
    "illegal": "Please put it right",
    "illegal.also": "Or, which looks the same: {reasons}.",
    "knob": "Please turn the knob",
    "knob.words": "It should stand at {expected}; it stands at {seen}.",
    "knob.hidden": "It should stand at {expected}.",
    "knob.confirm": "The knob is right",
    "knob.unsure": "Is the knob right?",
    "knob.unsure.words": "It should stand at {expected}. After a break nobody knows for sure: turn it there, then say so.",

    "board.empty": "The board is empty.",
    "board.place": "{place}: {label}",
    "board.last": "last move",
    "board.knob": "knob: {stop}",
    "board.seen": "seen here, against the rules: {label}",
    "board.nothing": "nothing",

    "camera.none": "No camera picture yet",
    "camera.offline": "Camera offline since {time}",
    "camera.paused": "The picture rests while nobody looks",
    "camera.alt": "The board as the camera sees it, with what the referee reads",
    "camera.live": "Live",

    "device.ok": "works",
    "device.stale": "silent for a while",
    "device.lost": "gone",
    "device.back": "back again",
    "device.since": "since {time}",
    "device.none": "No devices are told of yet.",

    "command.undo": "Take back the last move",
    "command.pause": "Pause",
    "command.resume": "Go on",
    "command.new_game": "New game",
    "command.new_game.sure": "Really start again?",
    "command.correct": "Correct a move",
    "command.correct.ply": "Which move",
    "command.correct.move": "What was really played",
    "command.correct.why": "Why (others will read it)",
    "command.correct.send": "Correct it",
    "command.look_on": "You are looking on. To take part, open the link that the terminal shows.",
    "command.done": "Done.",
    "command.unheard": "The table could not be reached.",

    "event.game_started": "A new game begins",
    "event.move": "{by}: {move}",
    "event.forfeit": "{by} has no marble to play and forfeits",
    "event.illegal_cleared": "The table is as it should be again",
    "event.game_over": "Game over",
    "event.question": "The referee asks: {text}",
    "event.question_closed": "Answered: {answer}",
    "event.question_void": "The question is settled without an answer",
    "event.correction": "Move {ply} corrected: {old} → {new}",
    "event.taken_back": "Move {ply} taken back: {old}",
    "event.knob_mismatch": "The knob does not show the score",
    "event.knob_right": "The knob shows the score again",
    "event.device": "{device}: {state}",
    "event.board_moved": "The board was moved",
    "event.board_followed": "The board was moved; the camera follows it",
    "event.calibration_doubtful": "The calibration is doubtful",
    "event.orphans": "Cut off: {rings}",
    "event.orphans_reminder": "Still on the board: {rings}",
    "event.orphans_removed": "The rings that were cut off are gone",
    "event.house_rules": "The leaflet is silent here; house rule {rules} decided.",
    "event.none": "Nothing yet. Make the first move.",

    "reason.not_your_turn": "Not your turn",
    "reason.no_such_channel": "No such channel",
    "reason.no_marble_left": "No marble left",
    "reason.joker_not_available": "The Joker is not available",
    "reason.game_over": "The game is over",
    "reason.pass_not_allowed": "Passing is not allowed",
    "reason.must_forfeit": "This turn is forfeited",
    "reason.unreadable_move": "Not a move",
    "reason.two_moves": "Two moves at once",
    "reason.piece_taken": "A piece was taken away",
    "reason.piece_moved": "A piece was moved",
    "reason.wrong_end": "Pushed in at the wrong end",
    "reason.no_move": "No move was made",
    "reason.wrong_player": "The wrong player moved",
    "reason.slot_occupied": "The slot is taken",
    "reason.corner_taken": "The corner is taken",
    "reason.no_supply": "None is left",
    "reason.redundant_bridge": "A second bridge of this kind",
    "reason.undo": "This undoes the last move",
    "reason.refill_after_removal": "The slot may not be filled at once",
    "reason.no_bridge_there": "There is no such bridge",
    "reason.bridge_into_centre": "Bridges to the centre stay",
    "reason.not_top_marker": "Not the top marker",
    "reason.station_unreachable": "No path leads there",
    "reason.own_post_station": "The own post stands there",
    "reason.size_taken": "A ring of this size lies there",
    "reason.smaller_size_free": "A smaller place is free",
    "reason.centre_station": "Not on the centre",
    "reason.not_own_blocker": "Not the own blocker",
    "reason.no_blocker_there": "There is no such blocker",
    "reason.too_few_bridges": "Too few bridges for this",
    "reason.post_occupied": "A post stands there",
    "reason.no_ring_supported": "No ring could be reached from there",
    "reason.not_trapped": "The post is not trapped",
    "reason.station_not_empty": "The station is not empty",
    "reason.first_move_restriction": "Not on the first move",
    "reason.not_adjacent": "These stations are no neighbours",
    "reason.no_such_station": "There is no such station",
    "reason.anti_kingmaker": "Too far behind for this",
    "reason.ring_not_removed": "A ring was not taken off",
    "reason.wrong_ring_removed": "The wrong ring was taken off",
  },
};

const words = CATALOGUE[document.documentElement.lang] ?? CATALOGUE.en;

export const has = (key) => key in words;

/** The text of a key; a key that has none is shown as words. */
export function say(key, values = {}) {
  const text = words[key] ?? plain(key.slice(key.lastIndexOf(".") + 1));
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** A name of the program as words: "two_moves" becomes "Two moves". */
export function plain(name) {
  const text = String(name).replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const clock = (date) => date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** A player's side in words: "Blue". */
export const colour = (player) => (has(`player.${player}`) ? say(`player.${player}`) : plain(player));

/** A player as people call them. The colour is said by the marble beside it. */
export const playerName = (state, player) => (player ? state.names?.[player] || colour(player) : "");
