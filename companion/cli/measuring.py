"""The measurements of `companion bench`: simulated pictures and games, one thread, ratios within one run."""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TypedDict

from companion.cli.judge_speed import Case, judge_speed, simulated_cases
from companion.cli.latency import latency_ms
from companion.cli.picture_stages import FRAMES, Steps, draw_finity, draw_infinity, finity_stages, infinity_stages
from companion.cli.reconcile_speed import reconciling_us


class Stage(TypedDict):
    name: str
    median_us: float
    p95_us: float
    max_us: float
    floor_ratio: float


class Result(TypedDict):
    cpu: str
    opencv: str
    stages: list[Stage]
    judge: dict[str, float]
    judge_infinity: dict[str, float]
    latency_ms: dict[str, float]


def measure_all(seconds: float, seed: int, say: Callable[[str], None], games: Sequence[Case] = ()) -> Result:
    """Measure every stage for about `seconds` each; `say` is told what comes next.

    Args:
        games: what the judge plays; simulated games of Finity where there are none.
    """
    from vision.runtime import keep_freed_memory, one_thread, opencv_version

    one_thread()
    keep_freed_memory()
    stages: list[Stage] = []
    for name, taken_us in chain(_looking(seconds, seed, say), _reconciling(seed, say)):
        stages.append(_stage(name, taken_us, stages))
    say("judge")
    judged = judge_speed(seconds, games or simulated_cases("finity", seed))
    say("judge (Infinity)")
    infinity = judge_speed(seconds, simulated_cases("infinity", seed))
    say("from settled to an MQTT subscriber")
    latency = latency_ms(seed)
    return {
        "cpu": _cpu(),
        "opencv": opencv_version(),
        "stages": stages,
        "judge": judged,
        "judge_infinity": infinity,
        "latency_ms": {"median": round(statistics.median(latency), 2), "p95": round(_p95(latency), 2)},
    }


def _looking(seconds: float, seed: int, say: Callable[[str], None]) -> Iterator[tuple[str, list[float]]]:
    say("drawing pictures")
    pictures = draw_infinity(seed), draw_finity(seed)
    for name, steps in chain(infinity_stages(pictures[0]), finity_stages(pictures[1])):
        say(name)
        yield name, _timed(steps, seconds)


def _reconciling(seed: int, say: Callable[[str], None]) -> Iterator[tuple[str, list[float]]]:
    for game in ("infinity", "finity"):
        name = f"reconcile_{game}"
        say(name)
        yield name, reconciling_us(game, seed)


def _timed(steps: Steps, seconds: float) -> list[float]:
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
        "max_us": round(max(taken_us), 2),
        "floor_ratio": round(median / floor, 2),
    }


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith(("model name", "Model")):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
