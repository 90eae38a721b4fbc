"""How a game stands for each player, from its state alone: for whoever hears of tables without knowing the rules."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.game import Json


def standing(state: Mapping[str, Json]) -> dict[str, int]:
    """Points by player, in the order of the players; empty where the state tells none.

    Infinity: the score, which is the first player's where it is above 0 and the second one's below it, so that the two
    always are opposite. Finity: the length of each player's longest path.
    """
    players = state.get("players")
    names = [str(player) for player in players] if isinstance(players, list | tuple) else []
    score, explanation = state.get("score"), state.get("explanation")
    paths = explanation.get("partial_paths") if isinstance(explanation, Mapping) else None
    if isinstance(paths, Mapping):
        return {player: _length(paths.get(player)) for player in names}
    if isinstance(score, int) and len(names) == 2:
        return {names[0]: score, names[1]: -score}
    return {}


def name_of(state: Mapping[str, Json], player: str) -> str:
    """What a player is called; the player's letter or colour where there is no name."""
    names = state.get("names")
    name = names.get(player) if isinstance(names, Mapping) else None
    return str(name) if name else player.capitalize()


def _length(path: Json) -> int:
    length = path.get("length") if isinstance(path, Mapping) else None
    return length if isinstance(length, int) else 0
