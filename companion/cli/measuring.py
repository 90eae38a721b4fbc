"""The measurements of `companion bench`: simulated pictures and games, one thread, ratios within one run."""

from __future__ import annotations

import platform
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from companion.cli.judge_speed import Case, judge_speed, simulated_cases
from companion.evidence import Sight
from vision.reading import PlaceReading, Reading, Status

if TYPE_CHECKING:
    from calibration.file import Calibration

FRAMES = 8
"""Pictures of one position, each with noise of its own: no stage sees the same bytes twice in a row."""
LAYOUTS = (("BY..|KYB.|W...|YBB.", "BYBYBYBYY", 2), ("Y...|KYBB|WYB.|YB..", "BYBYBYB", -1))
"""Two positions: channels, well, stop of the knob."""
MOVES = 40
"""Moves of the simulated game on which reconciling and the way to MQTT are measured."""
SETTLED_S = 1.0
"""Two pictures so far apart that agree settle a position."""


class Stage(TypedDict):
    name: str
    median_us: float
    p95_us: float
    floor_ratio: float


class Result(TypedDict):
    cpu: str
    opencv: str
    stages: list[Stage]
    judge: dict[str, float]
    judge_infinity: dict[str, float]
    latency_ms: dict[str, float]


@dataclass(frozen=True, slots=True)
class Pictures:
    """Simulated pictures from one camera.

    Attributes:
        frames: (720, 1280, 3) uint8 each; one position, camera and light at rest.
        others: as many of another position.
        jpeg: one of them as a file's bytes.
    """

    calibration: Calibration
    frames: tuple[Any, ...]
    others: tuple[Any, ...]
    jpeg: bytes


def measure_all(seconds: float, seed: int, say: Callable[[str], None], games: Sequence[Case] = ()) -> Result:
    """Measure every stage for about `seconds` each; `say` is told what comes next.

    Args:
        games: what the judge plays; simulated games of Finity where there are none.
    """
    from vision.runtime import keep_freed_memory, one_thread, opencv_version

    one_thread()
    keep_freed_memory()
    say("drawing pictures")
    pictures = draw_pictures(seed)
    stages: list[Stage] = []
    for name, steps in _picture_stages(pictures):
        say(name)
        stages.append(_stage(name, _timed(steps, seconds), stages))
    say("reconcile_infinity")
    stages.append(_stage("reconcile_infinity", _reconciling_us(seed), stages))
    say("judge")
    judged = judge_speed(seconds, games or simulated_cases("finity", seed))
    say("judge (Infinity)")
    infinity = judge_speed(seconds, simulated_cases("infinity", seed))
    say("from settled to an MQTT subscriber")
    latency = _latency_ms(seed)
    return {
        "cpu": _cpu(),
        "opencv": opencv_version(),
        "stages": stages,
        "judge": judged,
        "judge_infinity": infinity,
        "latency_ms": {"median": round(statistics.median(latency), 2), "p95": round(_p95(latency), 2)},
    }


def draw_pictures(seed: int) -> Pictures:
    """A calibrated simulated camera and two positions before it."""
    from calibration.infinity.board import reference_board
    from companion.cli.simulated import calibrated_camera
    from hw_sim.camera.positions import Layout
    from hw_sim.camera.troubles import resting_scene

    sim = calibrated_camera("slate_window", seed)
    board = reference_board()
    one, other = (resting_scene(Layout(*layout), board, 0.0) for layout in LAYOUTS)
    return Pictures(
        sim.calibration,
        tuple(sim.camera.picture(one) for _ in range(FRAMES)),
        tuple(sim.camera.picture(other) for _ in range(FRAMES)),
        sim.jpeg,
    )


def _picture_stages(pictures: Pictures) -> Iterator[tuple[str, Iterator[Callable[[], object]]]]:
    from vision.pictures import decode_picture
    from vision.recogniser import recogniser_for

    recogniser = recogniser_for(pictures.calibration)
    frames = pictures.frames
    into = frames[0].copy()
    changing = [frame for pair in zip(frames, pictures.others, strict=True) for frame in pair]

    def looks(of: Sequence[Any], check_pose: bool) -> Iterator[Callable[[], object]]:
        return cycle([partial(recogniser.look, frame, check_pose=check_pose) for frame in of])

    yield "copy", cycle([partial(into.__setitem__, slice(None), frame) for frame in frames])
    yield "decode", cycle([lambda: decode_picture(pictures.jpeg)])
    yield "recognise_infinity", looks(frames, check_pose=False)
    yield "recognise_infinity_pose", looks(frames, check_pose=True)
    yield "recognise_infinity_full", looks(changing, check_pose=False)


def _timed(steps: Iterator[Callable[[], object]], seconds: float) -> list[float]:
    """Microseconds of each step, for some seconds; the first ones warm up and are not counted."""
    for _ in range(FRAMES):
        next(steps)()
    taken: list[float] = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until or len(taken) < FRAMES:
        step = next(steps)
        began = time.perf_counter()
        step()
        taken.append((time.perf_counter() - began) * 1e6)
    return taken


def _stage(name: str, taken_us: Sequence[float], before: Sequence[Stage]) -> Stage:
    median = statistics.median(taken_us)
    floor = before[0]["median_us"] if before else median
    return {
        "name": name,
        "median_us": round(median, 2),
        "p95_us": round(_p95(taken_us), 2),
        "floor_ratio": round(median / floor, 2),
    }


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]


def _random_game(seed: int) -> Iterator[tuple[Any, Any, str]]:
    """Random games without end: the rules, a position, and the move that follows it."""
    from companion.games.registry import game_named

    game = game_named("infinity", {})
    chance = random.Random(seed)
    position = game.start()
    while True:
        if (forfeit := game.forced(position)) is not None:
            position = forfeit.after
        elif moves := game.legal_moves(position):
            move = chance.choice(moves)
            yield game, position, move
            position = game.play(position, move).after  # type: ignore[union-attr]
        else:
            position = game.start()


def _sight_of(game: Any, position: Any, t_s: float) -> Sight:
    """A clear look at a position, with a little doubt at every place, as a camera gives it."""
    labels = ("B", "K", "Y", "W", ".")
    places = {
        str(place): PlaceReading({label: 1.0 if label == shown else 1e-3 for label in labels}, sure=True)
        for place, shown in game.sight(position).items()
    }
    stop = game.knob_stop(position)
    knob = PlaceReading({str(stop): 1.0}, sure=True)
    return Sight(t_s, "camera", Reading(Status.OK, places, knob=knob, well=game.well(position), confidence=0.99))


def _sights(seed: int) -> Iterator[tuple[Sight, Sight]]:
    """After each move of a random game: the look that shows it first, and the one that settles it."""
    t_s = 10.0
    for game, position, move in _random_game(seed):
        after = game.play(position, move).after
        if game.outcome(after) is not None:
            return
        yield _sight_of(game, after, t_s), _sight_of(game, after, t_s + SETTLED_S)
        t_s += 8.0


def _reconciling_us(seed: int) -> list[float]:
    """Microseconds of every look that a table takes, moves that settle among them."""
    from companion.games.registry import game_named
    from companion.table import Table

    taken: list[float] = []
    for game_seed in range(seed, seed + 8):
        table = Table(game_named("infinity", {}), game_id=f"bench-{game_seed}")
        table.start(0.0)
        for pair in _sights(game_seed):
            for sight in pair:
                began = time.perf_counter()
                table.take(sight)
                table.tick(sight.t_s)
                taken.append((time.perf_counter() - began) * 1e6)
    return taken


def _latency_ms(seed: int) -> list[float]:
    """Milliseconds from the look that settles a move to a subscriber of the broker, through the whole program."""
    from companion.games.registry import game_named
    from companion.journal.opening import open_journal
    from companion.live import TableLoop
    from companion.sinks.embedded_broker import local_broker
    from companion.sinks.mqtt import MqttSink
    from companion.sinks.mqtt_settings import MqttSettings, topics
    from companion.table import Table

    taken: list[float] = []
    with tempfile.TemporaryDirectory() as folder, local_broker() as broker:
        settings = MqttSettings(host=broker.host, port=broker.port, node="bench", table="bench", mqtt5=broker.mqtt5)
        with _Listener(broker.host, broker.port, topics(settings).event) as listener:
            journal = open_journal(Path(folder) / "journal.sqlite").journal
            now_s = [0.0]
            table = Table(game_named("infinity", {}), game_id="bench")
            loop = TableLoop(table, [MqttSink(settings, journal)], clock=lambda: now_s[0], keeper=journal)
            runner = threading.Thread(target=loop.run, name="bench table")
            runner.start()
            listener.wait_for("game_started")
            for first, settling in _sights(seed):
                now_s[0] = settling.t_s
                loop.put(first)
                began = time.perf_counter()
                loop.put(settling)
                taken.append((listener.wait_for("move") - began) * 1e3)
                if len(taken) == MOVES:
                    break
            loop.stop()
            runner.join()
            journal.close()
    return taken


class _Listener:
    """An MQTT subscriber that notes when it heard of which event."""

    def __init__(self, host: str, port: int, topic: str) -> None:
        import queue

        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        self._heard: queue.SimpleQueue[tuple[float, str]] = queue.SimpleQueue()
        self._ready = threading.Event()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_connect = lambda client, *_: client.subscribe(topic, qos=1)
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.on_message = lambda _client, _data, message: self._hear(message.payload)
        self._client.connect(host, port)

    def __enter__(self) -> _Listener:
        self._client.loop_start()
        self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def wait_for(self, event: str) -> float:
        """When the next event of this name arrived, in seconds of `time.perf_counter`."""
        while True:
            arrived, name = self._heard.get(timeout=10)
            if name == event:
                return arrived

    def _hear(self, payload: bytes | bytearray) -> None:
        import json

        arrived = time.perf_counter()
        line: Mapping[str, Any] = json.loads(payload)
        self._heard.put((arrived, str(line.get("event") or line.get("event_type"))))


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith(("model name", "Model")):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
