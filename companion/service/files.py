"""The files of a service: a unit for systemd, and rules for udev. Pure: settings in, text out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

UNIT = "companion.service"
RULES = "70-companion.rules"

GROUPS = ("dialout", "video", "gpio")
"""Who may use serial ports, cameras, and a Raspberry Pi's pins; `gpio` is there on a Raspberry Pi alone."""

WATCHDOG_S = 60
"""The loop goes round ten times a second, but a small machine under load may stand still for some seconds."""


@dataclass(frozen=True, slots=True)
class Service:
    """What is to start with the machine.

    Attributes:
        python: the interpreter with Companion in it.
        configs: the tables' config files.
        user: under whose name it runs.
        groups: those of `GROUPS` that the machine has.
    """

    python: Path
    configs: tuple[Path, ...]
    user: str
    groups: tuple[str, ...] = GROUPS


def unit_text(service: Service) -> str:
    """The unit. It writes to the journal of the system, which turns its files over and limits a flood of lines."""
    configs = " ".join(f"--config {quoted(str(path))}" for path in service.configs)
    return "\n".join(
        (
            "[Unit]",
            "Description=Companion, a referee for board games",
            "Wants=network-online.target",
            "After=network-online.target mosquitto.service time-sync.target",
            "# a fault that lasts must not keep a small machine busy for ever",
            "StartLimitIntervalSec=600",
            "StartLimitBurst=20",
            "",
            "[Service]",
            "Type=notify",
            "NotifyAccess=main",
            f"User={service.user}",
            *([f"SupplementaryGroups={' '.join(service.groups)}"] if service.groups else []),
            f"ExecStart={quoted(str(service.python))} -m companion referee {configs}",
            f"WatchdogSec={WATCHDOG_S}",
            "Restart=always",
            "RestartSec=5",
            "TimeoutStartSec=180",
            "TimeoutStopSec=30",
            "Environment=PYTHONUNBUFFERED=1",
            "LogRateLimitIntervalSec=60",
            "LogRateLimitBurst=200",
            "MemoryMax=1G",
            "# it reads and writes its user's files and speaks on the network; all else is kept from it",
            "NoNewPrivileges=yes",
            "ProtectSystem=full",
            "ProtectKernelTunables=yes",
            "ProtectKernelModules=yes",
            "ProtectControlGroups=yes",
            "PrivateTmp=yes",
            "RestrictSUIDSGID=yes",
            "LockPersonality=yes",
            "",
            "[Install]",
            "WantedBy=multi-user.target",
            "",
        )
    )


def rules_text() -> str:
    """The rules: the boards of which docs/firmware.md speaks, and what looks like them, are no modems."""
    vendors = {
        "2341": "Arduino",
        "2a03": "Arduino",
        "1a86": "CH340",
        "0403": "FTDI",
        "10c4": "CP210x",
        "2e8a": "Raspberry Pi",
    }
    lines = [f'SUBSYSTEM=="tty", ATTRS{{idVendor}}=="{vendor}", ENV{{ID_MM_DEVICE_IGNORE}}="1"' for vendor in vendors]
    return "\n".join(
        (
            "# ModemManager asks every new serial port whether it is a modem; a game's board is none.",
            f"# {', '.join(dict.fromkeys(vendors.values()))}",
            *lines,
            "",
        )
    )


def quoted(word: str) -> str:
    """A word of a command in a unit (systemd.service(5), Command lines): %, $ and quotes are nothing special."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{plain}"' if plain != word or " " in word else word
