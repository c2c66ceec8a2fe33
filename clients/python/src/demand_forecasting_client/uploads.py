"""The body of an upload, from the forms in which Python programs have demand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from os import SEEK_END, PathLike
from pathlib import Path, PurePath
from tempfile import TemporaryFile
from typing import IO, Any, Protocol, TypeAlias, runtime_checkable

CSV, NDJSON = "text/csv", "application/x-ndjson"
MEDIA_TYPES = {".json": "application/json", ".jsonl": NDJSON, ".ndjson": NDJSON}
"""By the suffix of a file; all others are CSV."""
GZIP = b"\x1f\x8b"
"""How compressed content begins. The name does not tell: a file opened by gzip.open keeps `.gz`."""
COPIED_AT_ONCE = 1 << 20


@runtime_checkable
class Readable(Protocol):
    """A file object, of text or bytes."""

    def read(self, size: int, /) -> str | bytes: ...


@runtime_checkable
class Frame(Protocol):
    """A pandas DataFrame."""

    def to_csv(self, path_or_buf: Any, *, mode: Any, index: bool) -> object: ...


Demand: TypeAlias = "str | PathLike[str] | Readable | Frame | Iterable[Mapping[str, object]]"


@contextmanager
def opened(demand: Demand) -> Iterator[tuple[IO[bytes], dict[str, str]]]:
    """Yields a file that can be sent repeatedly, and the headers that describe it.

    What has no path is copied to a temporary file: the service processes a large upload in the
    background only if its length is known.
    """
    if isinstance(demand, (str, PathLike)):
        path = Path(demand)
        with path.open("rb") as file:
            yield file, _headers(file, path.name)
    else:
        with TemporaryFile() as file:
            yield file, _headers(file, _copy(demand, file))


def _copy(demand: Readable | Frame | Iterable[Mapping[str, object]], file: IO[bytes]) -> str:
    """Returns a name whose suffix tells the format."""
    if isinstance(demand, Frame):
        demand.to_csv(file, mode="wb", index=False)
        return "frame.csv"
    if isinstance(demand, Readable):
        while chunk := demand.read(COPIED_AT_ONCE):
            file.write(chunk.encode() if isinstance(chunk, str) else chunk)
        return str(getattr(demand, "name", ""))
    for row in demand:
        file.write(json.dumps(row, default=_plain, allow_nan=False).encode() + b"\n")
    return "rows.ndjson"


def _plain(value: Any) -> object:
    """The JSON value for a date, or for a number of numpy."""
    if isinstance(value, date):
        return value.isoformat()
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{value!r} is not a value of a row")


def _headers(file: IO[bytes], name: str) -> dict[str, str]:
    file.seek(0)
    is_compressed = file.read(len(GZIP)) == GZIP
    suffix = PurePath(name.lower().removesuffix(".gz")).suffix
    return {
        "Content-Type": MEDIA_TYPES.get(suffix, CSV),
        "Content-Length": str(file.seek(0, SEEK_END)),
        **({"Content-Encoding": "gzip"} if is_compressed else {}),
    }
