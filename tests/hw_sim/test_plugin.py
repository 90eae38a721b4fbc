"""The fixtures as somebody else's test run has them."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest_plugins = ["pytester"]


def test_all_fixtures_work_together(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import serial


        def test_table_pins_and_port(sim_table, sim_clock, sim_pins, sim_serial_port):
            edges = []
            sim_table.listen(edges.append)
            with serial.Serial(str(sim_serial_port.path), timeout=5) as port:
                sim_table.perform(sim_table.person("blue").push("B", 3))
                sim_table.advance(1.0)
                assert len(port.read(51)) == 51  # the kernel hands bytes over in its own time
            assert [edge.line for edge in edges] == ["entry3", "entry3", "slot3.1"]
            assert sim_clock() == sim_table.now_s > 1.0
            assert sim_pins.factory.pin("BCM13").state == 1


        def test_a_game(sim_game):
            *_, last = sim_game(frame_s=1.0).run()
            assert last.finished


        def test_finity(sim_finity_table, sim_finity_game, sim_clock):
            sim_finity_table.perform(sim_finity_table.person("A").point_at("NE.S"))
            assert sim_clock() > 0.5
            assert sim_finity_table.truth().sight["N.P"] == "A"
            *_, last = sim_finity_game(frame_s=1.0).run()
            assert last.t_s > 10
        """
    )
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=3)


def test_seed_and_faults_can_be_overridden(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest
        from hw_sim.faults import Faults


        @pytest.fixture
        def sim_faults():
            return Faults(missed_beam=1.0)


        @pytest.fixture
        def sim_seed():
            return 42


        def test_blind_beams(sim_table, sim_game):
            edges = []
            sim_table.listen(edges.append)
            sim_table.perform(sim_table.person("blue").push("B", 3))
            assert [edge.line for edge in edges] == ["slot3.1"]
            assert sim_table.seed == 42
            assert sim_game().faults.missed_beam == 1.0
            assert sim_game(faults=Faults()).faults == Faults()
        """
    )
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)


def test_the_plugin_imports_nothing_heavy() -> None:
    code = (
        "import sys, hw_sim.pytest_plugin as p\n"
        "heavy = {'cv2', 'numpy', 'scipy', 'serial', 'gpiozero', 'cobs', 'calibration', 'companion'}\n"
        "print(sorted(heavy & set(sys.modules)), sorted(m for m in sys.modules if m.startswith('hw_sim')))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert said.stdout.strip() == "[] ['hw_sim', 'hw_sim.pytest_plugin']"
