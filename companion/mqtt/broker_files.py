"""A ready configuration for mosquitto: users with passwords, who may read and write what, room for messages, TLS.

The password file has mosquitto's own form, `user:$7$<iterations>$<salt>$<hash>` with PBKDF2-HMAC-SHA512
(mosquitto_passwd(1)), so that no program of mosquitto is needed to make it.
"""

from __future__ import annotations

import base64
import hashlib
import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from companion.errors import InputError, system_words
from companion.mqtt.topics import topic_part
from companion.texts import text

ITERATIONS = 20_000
"""mosquitto's own 101 are few; it works these off in some hundredths of a second at each login."""
DAYS = 3650
"""How long certificates hold: nobody renews one of a board at home."""


@dataclass(frozen=True, slots=True)
class Broker:
    """What the configuration is made for.

    Attributes:
        nodes: programs with tables; each becomes a user of its own.
        hosts: names and addresses under which the broker is reached; with some, it speaks TLS.
        websockets: the port of websockets, where they are wanted.
        home: where the files will lie on the broker's machine.
    """

    base: str = "companion"
    nodes: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    websockets: int | None = None
    home: str = "/etc/mosquitto"

    @property
    def port(self) -> int:
        return 8883 if self.hosts else 1883


def write_broker_files(folder: Path, broker: Broker) -> dict[str, Path]:
    """Write all files into a new folder, whole or not at all.

    Returns:
        Where each user's password stands, readable for the owner alone.
    Raises:
        InputError: if the folder has something in it already, or cannot be written; if openssl fails.
    """
    try:
        if folder.exists() and any(folder.iterdir()):
            raise InputError(text("{folder}: has files in it already; name a new folder", folder=str(folder)))
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as scratch:
            made = Path(scratch) / "made"
            made.mkdir(mode=0o700)
            users = _fill(made, broker)
            if folder.exists():
                folder.rmdir()
            made.rename(folder)
    except OSError as error:
        raise InputError(
            text(
                "{path}: {why}; name a folder that can be made",
                path=str(error.filename or folder),
                why=system_words(error),
            )
        ) from error
    return {user: folder / "passwords" / user for user in users}


def _fill(folder: Path, broker: Broker) -> list[str]:
    users = {
        **{topic_part(node): _node_access(broker, node) for node in broker.nodes},
        "homeassistant": _home_access(broker),
        "club": [f"read {broker.base}/#"],
    }
    passwords = {user: secrets.token_urlsafe(18) for user in users}
    (folder / "passwords").mkdir(mode=0o700)
    for user, password in passwords.items():
        _write(folder / "passwords" / user, f"{password}\n", 0o600)
    hashes = "".join(f"{user}:{password_hash(password)}\n" for user, password in passwords.items())
    _write(folder / "companion.passwd", hashes, 0o600)
    _write(folder / "companion.acl", access_list(users), 0o644)
    _write(folder / "companion.conf", mosquitto_conf(broker), 0o644)
    if broker.hosts:
        make_certificates(folder, broker.hosts)
    return list(users)


def _node_access(broker: Broker, node: str) -> list[str]:
    own = f"{broker.base}/{topic_part(node)}/#"
    return [f"readwrite {own}", "readwrite homeassistant/device/+/config", "read homeassistant/status"]


def _home_access(broker: Broker) -> list[str]:
    return ["readwrite homeassistant/#", f"read {broker.base}/#", f"write {broker.base}/+/+/cmd/#"]


def access_list(users: Mapping[str, Iterable[str]]) -> str:
    """The access list: what is not named is refused (mosquitto.conf(5), acl_file)."""
    blocks = ["\n".join((f"user {user}", *(f"topic {rule}" for rule in rules))) for user, rules in users.items()]
    return "\n\n".join(blocks) + "\n"


def mosquitto_conf(broker: Broker) -> str:
    """The configuration itself (mosquitto.conf(5))."""
    home = broker.home
    login = [
        "allow_anonymous false",
        f"password_file {home}/companion.passwd",
        f"acl_file {home}/companion.acl",
    ]
    certificates = [
        f"cafile {home}/ca.crt",
        f"certfile {home}/broker.crt",
        f"keyfile {home}/broker.key",
    ]
    secured = [*login, *(certificates if broker.hosts else [])]
    lines = [
        "# A broker for Companion's tables. Everybody logs in, and sees no more than the access list says.",
        "# For conf.d: where things are kept and logged says mosquitto.conf, which mosquitto lets nobody say twice.",
        "per_listener_settings true",
        "persistence true",
        "# mosquitto drops messages beyond this for whoever is away, though it has acknowledged them",
        "max_queued_messages 100000",
        "max_inflight_messages 20",
        "# a table's state of a long game is some tens of kilobytes",
        "message_size_limit 1048576",
        f"listener {broker.port}",
        *secured,
    ]
    if broker.websockets is not None:
        lines += [f"listener {broker.websockets}", "protocol websockets", *secured]
    return "\n".join(lines) + "\n"


def password_hash(password: str, salt: bytes | None = None) -> str:
    """A password as mosquitto keeps it."""
    salt = secrets.token_bytes(12) if salt is None else salt
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS, 64)
    return f"$7${ITERATIONS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def make_certificates(folder: Path, hosts: Iterable[str]) -> None:
    """An authority of one's own, and the broker's certificate for these names and addresses.

    Raises:
        InputError: if there is no openssl, or it fails.
    """
    openssl = shutil.which("openssl")
    if openssl is None:
        raise InputError(
            text("certificates are made by openssl, which is not installed; on Debian: sudo apt install openssl")
        )
    names = ",".join(f"{_kind(host)}:{host}" for host in hosts)
    _write(folder / "names", f"subjectAltName={names}\n", 0o600)
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    signed = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names"]
    steps = (
        [
            "req",
            *key,
            "-x509",
            "-days",
            str(DAYS),
            "-subj",
            "/CN=Companion tables",
            "-keyout",
            "ca.key",
            "-out",
            "ca.crt",
        ],
        ["req", *key, "-subj", "/CN=Companion broker", "-keyout", "broker.key", "-out", "broker.csr"],
        ["x509", "-req", "-days", str(DAYS), "-in", "broker.csr", *signed, "-out", "broker.crt"],
    )
    for step in steps:
        done = subprocess.run([openssl, *step], cwd=folder, capture_output=True, text=True, check=False, timeout=60)
        if done.returncode:
            said = done.stderr.strip().splitlines() or [text("it does not say why")]
            raise InputError(text("openssl cannot make certificates for {names}: {said}", names=names, said=said[-1]))
    for spent in ("names", "broker.csr", "ca.srl"):
        (folder / spent).unlink(missing_ok=True)
    for key_file in ("ca.key", "broker.key"):
        (folder / key_file).chmod(0o600)


def _kind(host: str) -> str:
    try:
        ip_address(host)
    except ValueError:
        return "DNS"
    return "IP"


def _write(path: Path, text: str, mode: int) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
