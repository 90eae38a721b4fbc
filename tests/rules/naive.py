"""A second Infinity, deliberately naive: written from the rules' text alone, with lists, loops and no cleverness.

It shares no code with the program's rules. Its verdicts have the form of `companion judge`.
"""

from __future__ import annotations

from typing import Any

DEFAULTS: dict[str, Any] = {
    "joker_override": "points",
    "joker_override_new_rows_only": False,
    "both_jokers": "difference",
    "joker_cancels_two_rows": False,
    "two_rows_net": False,
    "both_two_rows": "continue",
    "score_on_forfeit": False,
    "allow_pass": False,
    "joker_may_be_withheld": False,
    "two_rows_disjoint": False,
    "max_turns": None,
    "first": None,
}

CHOICES: dict[str, tuple[str, list[Any]]] = {
    "joker_override": ("A1", ["points", "rows", "off"]),
    "joker_override_new_rows_only": ("A2", [False, True]),
    "both_jokers": ("A3", ["difference", "mover", "none"]),
    "joker_cancels_two_rows": ("A4", [False, True]),
    "two_rows_net": ("A5", [False, True]),
    "both_two_rows": ("A6", ["continue", "mover", "draw"]),
    "two_rows_disjoint": ("A13", [False, True]),
}

PLAIN = {"blue": "B", "yellow": "Y"}
JOKER = {"blue": "K", "yellow": "W"}
OPPONENT = {"blue": "yellow", "yellow": "blue"}


# Ten lines of four, each a list of (channel, slot).
LINES = [[(channel, slot) for slot in range(4)] for channel in range(4)]
LINES += [[(channel, slot) for channel in range(4)] for slot in range(4)]
LINES += [[(0, 0), (1, 1), (2, 2), (3, 3)], [(0, 3), (1, 2), (2, 1), (3, 0)]]


class NaiveInfinity:
    def __init__(self, options: dict[str, Any]) -> None:
        self.options = {**DEFAULTS, **options}
        self.board: list[list[str]] = [[], [], [], []]
        self.score = 0
        self.to_move: str | None = self.options["first"]
        self.outcome: dict[str, str] | None = None
        self.turns = 0

    def set_position(self, board: str, score: int, to_move: str) -> None:
        self.board = [[letter for letter in channel if letter != "."] for channel in board.split("|")]
        self.score = score
        self.to_move = to_move

    def position(self) -> dict[str, Any]:
        board = "|".join("".join(channel + ["."] * (4 - len(channel))) for channel in self.board)
        found: dict[str, Any] = {"board": board, "score": self.score, "to_move": self.to_move}
        if self.options["max_turns"] is not None:
            found["turns"] = self.turns
        return found

    def in_well(self, letter: str) -> int:
        supply = 1 if letter in "KW" else 8
        for channel in self.board:
            for marble in channel:
                if marble == letter:
                    supply -= 1
        return supply

    def has_marble(self, player: str) -> bool:
        return self.in_well(PLAIN[player]) + self.in_well(JOKER[player]) > 0

    def forfeit_due(self) -> bool:
        return self.outcome is None and self.to_move is not None and not self.has_marble(self.to_move)

    def legal_moves(self) -> list[str]:
        if self.outcome is not None or self.forfeit_due():
            return []
        found = []
        for player in ["blue", "yellow"]:
            if self.to_move is None or self.to_move == player:
                for letter in [PLAIN[player], JOKER[player]]:
                    if self.in_well(letter) > 0:
                        found += [letter + number for number in "1234"]
        if self.to_move is not None and self.pass_rule(self.to_move) is not None:
            found.append("pass")
        return found

    def pass_rule(self, player: str) -> str | None:
        only_joker = self.in_well(PLAIN[player]) == 0 and self.in_well(JOKER[player]) == 1
        if only_joker and self.options["joker_may_be_withheld"]:
            return "A11"
        return "A10" if self.options["allow_pass"] else None

    def reason_against(self, move: str) -> str | None:
        """Why a readable move is illegal for the side to move, where no forfeit is due."""
        if self.outcome is not None:
            return "game_over"
        if move == "pass":
            if self.to_move is None or self.pass_rule(self.to_move) is None:
                return "pass_not_allowed"
            return None
        if move[1:] not in ["1", "2", "3", "4"]:
            return "no_such_channel"
        player = "blue" if move[0] in "BK" else "yellow"
        if self.to_move not in (None, player):
            return "not_your_turn"
        if self.in_well(move[0]) == 0:
            return "joker_not_available" if move[0] in "KW" else "no_marble_left"
        return None

    def rows(self, board: list[list[str]], player: str) -> list[list[tuple[int, int]]]:
        wanted = [PLAIN[player], JOKER[player]]
        found = []
        for line in LINES:
            for channel, slot in line:
                if slot >= len(board[channel]) or board[channel][slot] not in wanted:
                    break
            else:
                found.append(line)
        return found

    def joker_rows(self, board: list[list[str]], player: str) -> list[list[tuple[int, int]]]:
        lines = self.rows(board, player)
        return [line for line in lines if JOKER[player] in [board[channel][slot] for channel, slot in line]]

    def count(self, old: list[list[str]], new: list[list[str]], mover: str, options: dict[str, Any]) -> dict[str, Any]:
        """The end of a turn, step by step in the order of the rules."""
        rows = {p: self.rows(new, p) for p in PLAIN}
        joker_rows = {p: self.joker_rows(new, p) for p in PLAIN}
        has_override = {}
        for player in PLAIN:
            has_override[player] = len(joker_rows[player]) > 0
            if options["joker_override_new_rows_only"]:
                earlier = self.joker_rows(old, player)
                has_override[player] = any(line not in earlier for line in joker_rows[player])

        # what the players score
        points = {p: len(rows[p]) + len(joker_rows[p]) for p in PLAIN}
        if options["joker_override"] != "off" and (has_override["blue"] or has_override["yellow"]):
            if has_override["blue"] and has_override["yellow"]:
                master = {"difference": "both", "mover": mover, "none": "nobody"}[options["both_jokers"]]
            else:
                master = "blue" if has_override["blue"] else "yellow"
            if master != "both":
                for player in PLAIN:
                    if player != master:
                        points[player] = 0
                    elif options["joker_override"] == "rows":
                        points[player] = len(rows[player])

        # two rows
        standing = {p: list(rows[p]) for p in PLAIN}
        if options["joker_cancels_two_rows"] and has_override["blue"] != has_override["yellow"]:
            standing["yellow" if has_override["blue"] else "blue"] = []
        two = {}
        for player in PLAIN:
            two[player] = len(standing[player]) >= 2
            if options["two_rows_disjoint"]:
                two[player] = False
                for one in standing[player]:
                    for other in standing[player]:
                        if all(seat not in other for seat in one):
                            two[player] = True
        outcome = None
        if two["blue"] and two["yellow"]:
            if options["both_two_rows"] == "mover":
                outcome = {"winner": mover, "by": "two_rows"}
            if options["both_two_rows"] == "draw":
                outcome = {"draw": "both_two_rows"}
        elif two["blue"] or two["yellow"]:
            player = "blue" if two["blue"] else "yellow"
            if not (options["two_rows_net"] and len(standing[player]) - len(standing[OPPONENT[player]]) < 2):
                outcome = {"winner": player, "by": "two_rows"}

        # the knob
        turned = self.score + points["blue"] - points["yellow"]
        score = self.score
        if outcome is None:
            score = turned
            if score >= 5:
                score = 5
                outcome = {"winner": "blue", "by": "five_ahead"}
            elif score <= -5:
                score = -5
                outcome = {"winner": "yellow", "by": "five_ahead"}
        return {"rows": rows, "points": points, "score": score, "outcome": outcome, "turned": turned}

    def house_rules(self, old: list[list[str]], new: list[list[str]], mover: str, told: dict[str, Any]) -> list[str]:
        gaps = set()
        if not any(self.rows(new, player) for player in PLAIN):
            return []
        for name, (gap, choices) in CHOICES.items():
            for choice in choices:
                other = self.count(old, new, mover, {**self.options, name: choice})
                if (other["score"], other["outcome"]) != (told["score"], told["outcome"]):
                    gaps.add(gap)
        end = told["outcome"] or {}
        if end.get("by") == "five_ahead" and abs(told["turned"]) > 5:
            gaps.add("A8")
        if end.get("by") == "two_rows":
            winner = end["winner"]
            if (winner == "blue" and told["turned"] <= -5) or (winner == "yellow" and told["turned"] >= 5):
                gaps.add("A7")
            earlier = self.rows(old, winner)
            if all(line in earlier for line in told["rows"][winner]):
                gaps.add("A14")
        return list(gaps)

    def play(self, move: str) -> dict[str, Any]:
        """Play a legal move, or `pass` for a pass or a forfeit that is due; returns the verdict."""
        forfeit = self.forfeit_due()
        assert forfeit or self.reason_against(move) is None
        old = [list(channel) for channel in self.board]
        gaps: list[str] = []
        if move == "pass":
            mover = self.to_move
            assert mover is not None
            rule = self.pass_rule(mover)
            if not forfeit and rule is not None:
                gaps.append(rule)
        else:
            mover = "blue" if move[0] in "BK" else "yellow"
            channel = self.board[int(move[1]) - 1]
            channel.insert(0, move[0])
            if len(channel) > 4:
                channel.pop()
        told = self.count(old, self.board, mover, self.options)
        if move == "pass":
            if (told["score"], told["outcome"]) != (self.score, None):
                gaps.append("A9")
            if not self.options["score_on_forfeit"]:
                told.update(points={"blue": 0, "yellow": 0}, score=self.score, outcome=None)
        if move != "pass" or self.options["score_on_forfeit"]:
            gaps += self.house_rules(old, self.board, mover, told)
        self.turns += 1
        if self.turns == self.options["max_turns"]:
            gaps.append("A15")
        self.score = told["score"]
        self.outcome = told["outcome"]
        self.to_move = None if self.outcome else OPPONENT[mover]
        verdict: dict[str, Any] = {"move": move, "legal": True}
        if forfeit:
            verdict.update(by=mover, forfeit=True)
            if not self.options["score_on_forfeit"]:
                return {**verdict, "score": self.score}
        return {
            **verdict,
            "rows": {player: len(lines) for player, lines in told["rows"].items()},
            "points": told["points"],
            "score": self.score,
            "house_rules": sorted(gaps, key=lambda gap: int(gap[1:])),
        }
