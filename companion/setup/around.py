"""What is around a set-up at this moment: devices to choose from, what the camera sees, whether sensors are heard."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.setup.desk import Desk
from companion.setup.found import Found
from companion.setup.listening import Listening
from companion.setup.room import Room
from companion.setup.state import LookSeen
from companion.setup.viewfinder import Viewfinder
from companion.texts import in_words

FIND_S = 3.0
"""How often it is looked for devices while somebody watches: as long as one waits after plugging something in."""


class Around:
    """Looks around; only when it is told to.

    Args:
        changed: called from devices' threads when they have something new to say.

    Attributes:
        finder: the camera.
        ears: the board's own sensors.
        cameras, ports: devices that are there; `boards` the files of boards, each with its words.
    """

    def __init__(self, room: Room, desk: Desk, changed: Callable[[], object]) -> None:
        self.finder = Viewfinder(room.open_capture, room.clock, changed, room.patience)
        self.ears = Listening(room.stand, changed)
        self.cameras: Sequence[Found] = ()
        self.ports: Sequence[Found] = ()
        self.boards: Sequence[tuple[str | None, str]] = ()
        self._look: LookSeen | None = None
        self._room = room
        self._desk = desk
        self._found_s = float("-inf")

    @property
    def look(self) -> LookSeen | None:
        """What the newest picture shows of the board; None where none is fresh."""
        return None if self.finder.newest() is None else self._look

    def turn(self) -> None:
        """Look again at everything; at devices not every time."""
        if self._room.clock() - self._found_s >= FIND_S:
            self.find()
        self.ears.listen(self._desk.draft)
        self._look = self._look_anew()

    def find(self) -> None:
        """Look which devices and boards are there."""
        self._found_s = self._room.clock()
        self.cameras, self.ports = self._room.cameras(), self._room.ports()
        game = self._desk.draft.game
        self.boards = [] if game is None else self._desk.boards.listed(game)

    def lend(self) -> None:
        """Let a game have camera and sensors; the camera's pictures come back by `finder.put`."""
        self.finder.let_go()
        self.ears.lend()

    def take_back(self) -> None:
        """No game has them any more."""
        self.ears.take_back()
        self.finder.choose(self._desk.draft.camera)

    def let_go(self) -> None:
        """Close all devices for good."""
        self.finder.let_go()
        self.ears.lend()

    def _look_anew(self) -> LookSeen | None:
        board = self._desk.board
        newest = None if board is None else self.finder.look(board, self._desk.draft.players)
        if newest is None:
            return None
        seen, t_s = newest
        age_s = round(2 * max(0.0, self._room.clock() - t_s)) / 2  # coarse: a new age alone is no news
        advice = tuple(map(in_words, seen.advice))
        return LookSeen(tuple(seen.markers), tuple(seen.missing), advice, seen.ready, age_s)
