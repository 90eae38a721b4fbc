"""Everything that a config asks for, put together: rules, journal, table, devices, sinks and the page."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from companion.beam_memory import counted
from companion.config import Config
from companion.devices import CameraEye, Stand, Taps, load_calibration, sensors
from companion.errors import UsageError
from companion.events import Corrected, GameOver, GameStarted, MovePlayed
from companion.journal.opening import open_journal
from companion.journal.place import default_journal
from companion.knob_places import KnobPlaces
from companion.live import TableLoop
from companion.page.archive import Archive
from companion.recording.report import Reports, both
from companion.referee import RULES_VERSION, Referee
from companion.sinks.sink import Sink
from companion.table import LastGame, Table, last_game
from companion.texts import text
from companion.wording import other_rules

if TYPE_CHECKING:
    from calibration.file import Calibration
    from companion.events import Event, Record
    from companion.games.game import Json
    from companion.journal.journal import Journal
    from companion.mqtt.node import MqttNode
    from companion.mqtt.table import MqttTable
    from companion.page.pages import Pages

log = logging.getLogger(__name__)

MOST_EMPTY = 10
"""Games without a move, one after the other, that are looked past: somebody tries the button or starts anew."""


class Station:
    """One table at work. Use it as a context; `run` referees until it is told to stop.

    Args:
        config: what there is.
        sinks: who is told, beside MQTT and the page.
        stand: what stands in for real devices.
        taps: who else hears what devices gave.
        calibration: the camera's, where it is not read from the config's file.
        pages: a running server that shows the table, too, in place of one of its own.
        node: a connection to the broker that tells of the table, too, in place of one of its own.
        new_game: begin anew even where the last game of the journal is not over.
        tell: takes one line for people at a time.
    Raises:
        CompanionError, CalibrationError, BridgeError: if something of it can never work.
    """

    def __init__(
        self,
        config: Config,
        sinks: Sequence[Sink],
        *,
        stand: Stand | None = None,
        taps: Taps | None = None,
        calibration: Calibration | None = None,
        pages: Pages | None = None,
        node: MqttNode | None = None,
        new_game: bool = False,
        tell: Callable[[str], object] = log.warning,
    ) -> None:
        from calibration.board import load_board
        from companion.page.layout import layout_for
        from companion.page.layout.colours import learnt_colours

        stand, taps = stand or Stand(), taps or Taps()
        game = config.make_game()
        if config.camera is not None:
            calibration = calibration or load_calibration(config.camera, game)
        board = calibration.board if calibration is not None else load_board(game.name)
        path = config.journal.path or default_journal()
        reports: Reports | None = None
        if config.camera or config.serial or config.gpio:
            reports = Reports(path.parent / "reports", config, calibration, stand.clock)
            taps = both(taps, reports.taps)
        opened = open_journal(path, outbox=config.mqtt is not None)
        self.journal: Journal = opened.journal
        brokers: list[MqttTable] = []
        try:
            if opened.notice:
                tell(opened.notice)
            # The last game and what was told since: a table that has played for years must start as fast as a new one.
            earlier = list(self.journal.records(self.journal.last_game_id()))
            table, self.resumed = _table(game, config, earlier, self.journal, new_game, tell)
            if not self.resumed:
                table.referee.seq = self.journal.last_seq()  # numbers go on without a gap from one game to the next
            self.link: str | None = None
            self.phone_link: str | None = None
            self._take_away: Callable[[], None] = lambda: None
            self._eye: CameraEye | None = None
            places = KnobPlaces.beside(path)
            brokers = _mqtt(config, self.journal, node, tell)
            self.loop = TableLoop(
                table,
                [*sinks, *_voice(config, tell), *brokers],
                clock=stand.clock,
                keeper=self.journal,
                earlier=earlier,
                layout=layout_for(game.name, board.to_json(), game.setup, learnt_colours(calibration)),
                picture=self._picture,
                places=places,
                mended=None if self.journal.trouble else opened.notice,
            )
            if config.mqtt is not None and config.mqtt.takes_commands:
                _take_commands(brokers, self.loop)
            beams = counted(self.journal.last_state()) if self.resumed else {}
            for device in sensors(config, self.loop.put, stand, taps, places, beams):
                self.loop.watch(device)
            if config.camera is not None and calibration is not None:
                self._eye = CameraEye(config.camera, calibration, self.loop.put, stand, taps)
                self.loop.watch(self._eye)
            self.name = config.table.name
            self._archive = Archive(path, reports)
            self._own_pages = _own_pages(config) if pages is None else None
            self._pages = pages or self._own_pages
        except BaseException:
            for broker in brokers:
                broker.leave()
            self.journal.close()
            raise

    def __enter__(self) -> Station:
        try:
            if self._own_pages is not None:
                self._own_pages.__enter__()
            if self._pages is not None:
                self._take_away = self._pages.show(self.name, self.loop, self._archive)
                self.link, self.phone_link = self._pages.link(), self._pages.phone_link()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._take_away()
        if self._own_pages is not None:
            self._own_pages.__exit__(kind, error, trace)
        self.journal.close()

    def run(self, done: Callable[[Mapping[str, Json]], bool] = lambda _: False) -> None:
        """Referee until `loop.stop` is called or `done(state)` holds."""
        self.loop.run(done)

    def _picture(self) -> tuple[bytes, float] | None:
        return None if self._eye is None else self._eye.picture()


def _own_pages(config: Config) -> Pages | None:
    if not config.page.enabled:
        return None
    from companion.page.pages import Pages

    return Pages(config.page, language=config.table.language)


def _table(
    game: Any,
    config: Config,
    of_last: Sequence[Record],
    journal: Journal,
    new_game: bool,
    tell: Callable[[str], object],
) -> tuple[Table, bool]:
    """The table, and whether it goes on with the game that was under way when the program ended."""
    if of_last and not isinstance(of_last[0].event, GameStarted):
        of_last = ()  # only devices were told of so far
    other = _differing(of_last[0].event, game) if of_last else []
    left = None if other else _restored(game, of_last)
    over = _told_over(of_last) if left is None else left.over is not None
    goes_on = left is not None and not (over or new_game)
    if of_last and not (goes_on or over or new_game):
        tell(_why_left(other))
    table = Table(
        game,
        game_id=uuid.uuid4().hex,
        names=config.players,
        earlier=of_last if goes_on else (),
        last=None if goes_on and left is not None and left.record.moves else _played_last(game, journal),
    )
    if goes_on:
        table.referee.names.update(config.players)  # who is called otherwise since then plays the same game
        if words := other_rules(table.referee.rules_version, RULES_VERSION):
            tell(words)
    return table, goes_on


def _why_left(other: Sequence[str]) -> str:
    """Why an unfinished game is not gone on with: it is set up otherwise, or the rules of today refuse it."""
    if other:
        return text(
            "the unfinished game is set up otherwise ({what}); it stays in the journal, and a new one begins",
            what=", ".join(other),
        )
    return text(
        "the unfinished game does not fit the rules of this version; it stays in the journal, and a new one begins"
    )


def _restored(game: Any, of_last: Sequence[Record]) -> Referee[Any] | None:
    """The referee of the last game where it was left; None where there is none, or rules of today refuse it."""
    if not of_last:
        return None
    try:
        return Referee.restore(game, "", of_last)
    except UsageError:
        return None


def _played_last(game: Any, journal: Journal) -> LastGame | None:
    """The newest game in which something was played, where it was played by the rules and the set-up of today."""
    newest = journal.last_game_id() or 0
    for number in range(newest, max(0, newest - MOST_EMPTY), -1):
        records = list(journal.records(number))
        if any(isinstance(record.event, MovePlayed | Corrected) for record in records):
            left = None if _differing(records[0].event, game) else _restored(game, records)
            return None if left is None else last_game(left)
    return None


def _told_over(of_last: Sequence[Record]) -> bool:
    """Whether the last game's end was told, as far as the record says it without the rules."""
    turns = (each.event for each in reversed(of_last) if isinstance(each.event, MovePlayed | Corrected | GameOver))
    return isinstance(next(turns, None), GameOver)


def _differing(last: Event, game: Any) -> list[str]:
    """What of a game that was under way is otherwise than in the game to be played."""
    if not isinstance(last, GameStarted) or last.game != game.name:
        return ["game"]
    was, now = ({**each.options, **each.setup} for each in (last, game))
    return [key for key in dict.fromkeys([*was, *now]) if _plain(was.get(key)) != _plain(now.get(key))]


def _plain(value: Json) -> Json:
    """A value as it comes back from the journal, where a tuple is a list."""
    plain: Json = json.loads(json.dumps(value, default=dict))
    return plain


def _voice(config: Config, tell: Callable[[str], object]) -> list[Sink]:
    if not config.voice.enabled:
        return []
    from companion.sinks.voice import Voice

    language = config.voice.language or config.table.language
    return [Voice(config.voice.model_copy(update={"language": language}), tell)]


def _take_commands(brokers: Sequence[MqttTable], loop: TableLoop) -> None:
    from companion.mqtt.desk import CommandDesk

    for broker in brokers:
        broker.take_commands(CommandDesk(loop))


def own_node(config: Config, tell: Callable[[str], object]) -> MqttNode | None:
    """A connection to the config's broker, not begun yet; None where it names none.

    Raises:
        InputError: if a certificate or the password's file cannot be used.
    """
    from companion.mqtt.settings import mqtt_settings, tls_context

    settings = mqtt_settings(config)
    if settings is None:
        return None
    tls_context(settings)  # a certificate that cannot be used is told now, not by a thread in the middle of a game
    from companion.mqtt.node import MqttNode

    return MqttNode(settings, tell)


def _mqtt(config: Config, journal: Journal, node: MqttNode | None, tell: Callable[[str], object]) -> list[MqttTable]:
    node = node or own_node(config, tell)
    if node is None:
        return []
    table = node.table(config.table.name, journal)
    if config.mqtt is not None and config.mqtt.home_assistant:
        from companion.homeassistant.announcer import Announcer, unit_of

        unit = unit_of(
            node.settings,
            config.table.name,
            takes_commands=config.mqtt.takes_commands,
            language=config.table.language,
        )
        table.announce(Announcer(unit, config.mqtt.home_assistant))
    return [table]
