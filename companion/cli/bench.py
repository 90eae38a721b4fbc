"""`companion bench`: what things cost on this machine, as ratios within one run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer


def bench(
    seconds: Annotated[float, typer.Option(min=0.05, max=60, help="How long each stage is measured.")] = 1.0,
    seed: Annotated[int, typer.Option(help="Seed of the simulated pictures and games.")] = 1,
    games: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Recorded games for the judge instead of simulated ones.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Measure the hot path on simulated pictures, one thread, 1280x720.

    A stage's ratio is its time over the time to copy the same frame once, measured in the same run.

    Example:

      companion bench --seconds 0.5
    """
    from companion.cli.judge_speed import recorded_cases
    from companion.cli.measuring import measure_all

    recorded = recorded_cases(games) if games is not None else []
    say = (lambda _: None) if as_json else (lambda step: typer.echo(f"{step} ...", err=True))
    result = measure_all(seconds, seed, say, recorded)
    if as_json:
        typer.echo(json.dumps(result))
        return
    typer.echo(f"{result['cpu']}, OpenCV {result['opencv']}")
    for stage in result["stages"]:
        times = f"{stage['median_us']:9.1f} us  p95 {stage['p95_us']:9.1f} us  worst {stage['max_us']:9.1f} us"
        typer.echo(f"{stage['name']:26} {times}  {stage['floor_ratio']:7.1f} copies")
    for name, judge in (("judge", result["judge"]), ("judge (Infinity)", result["judge_infinity"])):
        speed = f"{judge['moves_per_s']:9.0f} moves/s, {judge['legal_moves_per_s']:.0f} legal-move lists/s"
        typer.echo(f"{name:26} {speed} (median {judge['list_median_us']} us, worst {judge['list_max_us']} us)")
    latency = result["latency_ms"]
    typer.echo(f"{'settled to MQTT subscriber':26} {latency['median']:9.1f} ms  p95 {latency['p95']:9.1f} ms")
