"""Rows as a pandas DataFrame, if pandas is installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas

MONTHS = frozenset({"ds", "month", "period"})


def to_dataframe(rows: Iterable[Mapping[str, object]]) -> pandas.DataFrame:
    """Returns the items of a list, such as `list_forecasts`, with their months as dates."""
    import pandas  # imported only here: the client works without it

    frame = pandas.DataFrame(rows)
    for name in MONTHS.intersection(frame.columns):
        frame[name] = pandas.to_datetime(frame[name])
    return frame
