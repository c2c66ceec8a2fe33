"""The operations of the public API."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any, Literal, TypeVar, cast, overload
from urllib.parse import quote, urlencode, urljoin
from uuid import uuid4

from .problem import ApiProblem
from .schema import (
    ActualMonthDto,
    AlertDto,
    ConfigOverridesDto,
    ForecastAccuracyDto,
    ForecastExplainDto,
    ForecastRowDto,
    ForecastTotalDto,
    ImportDto,
    ImportReportDto,
    MarkAlertDto,
    RunDto,
    SafetyStockDto,
    SensedDemandDto,
    SeriesDto,
    SeriesForecastDto,
    SeriesMetricsDto,
    StartRunDto,
    TrendChangeDto,
    UploadReplyDto,
    UsageBody,
    WorkspaceBody,
)
from .transport import Transport
from .uploads import Demand, opened

POLL_SECONDS = 60.0
"""Between two polls, as the service asks for at least."""
MAX_FORECAST_PAGE = 10_000

T = TypeVar("T")
Query = dict[str, object]


class ForecastingClient:
    """Calls of the public API, one method per operation.

    `url` is the URL of the service, with or without `/api/v1`, `timeout` the seconds that it may
    be silent. A call that failed in passing (a lost connection, a 408, 429, 500, 502, 503 or 504)
    is repeated up to `retries` times; this is safe, since all attempts of a POST have one
    `Idempotency-Key`.

    `series_id` is the id of a series or its `unique_id`. Methods named `list_…` return iterators
    over the items of all pages; `page_size` is how many to request at once. A datetime without a
    time zone is in local time.

    Every method raises ApiProblem for an error response, and ConnectionError if there is none. A
    client holds no connections: threads may share one, and it needs no closing.
    """

    def __init__(self, url: str, api_key: str, *, timeout: float = 120.0, retries: int = 4) -> None:
        self._url = url.rstrip("/").removesuffix("/api/v1") + "/api/v1"
        self._transport = Transport(api_key, timeout, retries)

    def list_workspaces(self) -> list[WorkspaceBody]:
        """Returns the workspaces that the key has access to."""
        return cast(list[WorkspaceBody], self._get("/workspaces"))

    def get_usage(self) -> UsageBody:
        """Returns how many runs of this month's quota are used."""
        return cast(UsageBody, self._get("/usage"))

    def upload_actuals(
        self,
        demand: Demand,
        *,
        fill: Literal["none", "zero"] | None = None,
        decimal: Literal["point", "comma"] | None = None,
        workspace_id: str | None = None,
        respond_async: bool = False,
        idempotency_key: str | None = None,
    ) -> UploadReplyDto | ImportDto:
        """Uploads demand by `unique_id`, `ds` and `y`; `wait` returns the report.

        `demand` is the path of a CSV, JSON or NDJSON file (also `.gz`), a file object, rows, or a
        pandas DataFrame. Demand of the same series and date is replaced. Without `ds` and `y`, rows
        describe series that exist, such as by `lead_time_months`. Large uploads (a `.gz` only with
        `respond_async`) are stored in the background.
        """
        query: Query = {"fill": fill, "decimal": decimal, "workspace_id": workspace_id}
        prefer = {"Prefer": "respond-async"} if respond_async else {}
        with opened(demand) as (file, described):
            headers = described | prefer | _idempotent(idempotency_key)
            reply = self._transport.send("POST", self._address("/actuals", query), file, headers)
        return cast("UploadReplyDto | ImportDto", reply.body)

    def get_import(self, import_id: str) -> ImportDto:
        """Returns the state of an upload."""
        return cast(ImportDto, self._get(_path("/imports/{}", import_id)))

    def list_series(
        self,
        *,
        unique_id: str | None = None,
        category: str | None = None,
        workspace_id: str | None = None,
        page_size: int | None = None,
    ) -> Iterator[SeriesDto]:
        """Returns the series, newest first."""
        query: Query = {
            "unique_id": unique_id,
            "category": category,
            "workspace_id": workspace_id,
        }
        return self._list("/series", query, page_size)

    def list_trend_changes(
        self,
        trend_changed_since: datetime | str,
        *,
        workspace_id: str | None = None,
        page_size: int | None = None,
    ) -> Iterator[TrendChangeDto]:
        """Returns the changes of trend labels after a time, newest first."""
        query: Query = {"trend_changed_since": trend_changed_since, "workspace_id": workspace_id}
        return self._list("/series", query, page_size)

    def get_series(self, series_id: str, *, workspace_id: str | None = None) -> SeriesDto:
        """Returns a series."""
        query: Query = {"workspace_id": workspace_id}
        return cast(SeriesDto, self._get(_path("/series/{}", series_id), query))

    def get_actuals(
        self,
        series_id: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        workspace_id: str | None = None,
    ) -> list[ActualMonthDto]:
        """Returns the stored demand of a series from one month to another, as in "2026-01"."""
        query: Query = {"from": from_, "to": to, "workspace_id": workspace_id}
        return cast(list[ActualMonthDto], self._get(_path("/series/{}/actuals", series_id), query))

    def get_series_forecast(
        self, series_id: str, run_id: str, *, apply_overrides: bool | None = None
    ) -> SeriesForecastDto:
        """Returns the forecast of a series in a run, month by month and in words."""
        query: Query = {"run_id": run_id, "apply_overrides": apply_overrides}
        return cast(SeriesForecastDto, self._get(_path("/series/{}/forecast", series_id), query))

    def list_alerts(
        self,
        *,
        unread: bool | None = None,
        since: datetime | str | None = None,
        workspace_id: str | None = None,
        page_size: int | None = None,
    ) -> Iterator[AlertDto]:
        """Returns the alerts, newest first: the unread ones, or with `unread=False` all."""
        query: Query = {"unread": unread, "since": since, "workspace_id": workspace_id}
        return self._list("/alerts", query, page_size)

    def mark_alert(self, alert_id: str, *, read: bool = True) -> AlertDto:
        """Marks an alert as read or unread."""
        body: MarkAlertDto = {"read": read}
        return cast(AlertDto, self._send("PATCH", _path("/alerts/{}", alert_id), body))

    def start_run(
        self,
        *,
        config_overrides: ConfigOverridesDto | None = None,
        workspace_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> RunDto:
        """Starts a run, which counts against the quota; pass it to `wait`.

        For a day, the same `idempotency_key` returns the same run: a program that may be started
        again should pass one.
        """
        body: StartRunDto = {}
        if config_overrides is not None:
            body["config_overrides"] = config_overrides
        if workspace_id is not None:
            body["workspace_id"] = workspace_id
        return cast(RunDto, self._send("POST", "/runs", body, _idempotent(idempotency_key)))

    def list_runs(
        self,
        *,
        status: Literal["complete", "queued", "running", "completed", "failed", "canceled"]
        | None = None,
        since: datetime | str | None = None,
        workspace_id: str | None = None,
        page_size: int | None = None,
    ) -> Iterator[RunDto]:
        """Returns the runs, newest first; with the `status` of finished ones, by their end."""
        query: Query = {"status": status, "since": since, "workspace_id": workspace_id}
        return self._list("/runs", query, page_size)

    def get_run(self, run_id: str) -> RunDto:
        """Returns a run."""
        return cast(RunDto, self._get(_path("/runs/{}", run_id)))

    def cancel_run(self, run_id: str, *, idempotency_key: str | None = None) -> RunDto:
        """Cancels a run that has not finished."""
        path = _path("/runs/{}/cancel", run_id)
        return cast(RunDto, self._send("POST", path, None, _idempotent(idempotency_key)))

    def list_forecasts(
        self,
        run_id: str,
        *,
        apply_overrides: bool | None = None,
        series_id: str | None = None,
        category: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        page_size: int = MAX_FORECAST_PAGE,
    ) -> Iterator[ForecastRowDto]:
        """Returns the forecast rows of a run by `unique_id` and month. To sum them, sum `mean`."""
        query: Query = {
            "apply_overrides": apply_overrides,
            "series_id": series_id,
            "category": category,
            "from": from_,
            "to": to,
        }
        return self._list(_path("/runs/{}/forecasts", run_id), query, page_size)

    def get_totals(
        self,
        run_id: str,
        *,
        group_by: Literal["category", "workspace"] | None = None,
        category: str | None = None,
        without_category: bool | None = None,
        from_: str | None = None,
        to: str | None = None,
        sum_months: bool | None = None,
        apply_overrides: bool | None = None,
    ) -> list[ForecastTotalDto]:
        """Returns forecasts of the total demand of each category, or of the workspace, by month.

        With `sum_months`, there is one total for all months. The ranges are those of the totals:
        quantiles of series cannot be added up.
        `without_category` leaves only the series without one.
        """
        query: Query = {
            "group_by": group_by,
            "category": category,
            "without_category": without_category,
            "from": from_,
            "to": to,
            "sum_months": sum_months,
            "apply_overrides": apply_overrides,
        }
        return cast(list[ForecastTotalDto], self._get(_path("/runs/{}/totals", run_id), query))

    def get_safety_stock(
        self,
        run_id: str,
        series_id: str,
        *,
        lead_time: float | None = None,
        lead_time_sd: float | None = None,
        service_level: float | None = None,
    ) -> SafetyStockDto:
        """Returns how much to hold and when to order; lead time and its deviation are in months."""
        path = _path("/runs/{}/safety-stock/{}", run_id, series_id)
        query: Query = {
            "lead_time": lead_time,
            "lead_time_sd": lead_time_sd,
            "service_level": service_level,
        }
        return cast(SafetyStockDto, self._get(path, query))

    def list_safety_stocks(
        self,
        run_id: str,
        *,
        category: str | None = None,
        lead_time: float | None = None,
        lead_time_sd: float | None = None,
        service_level: float | None = None,
        page_size: int | None = None,
    ) -> Iterator[SafetyStockDto]:
        """Returns the same for each series of a run, with its own lead time and service level as
        far as none are given."""
        path = _path("/runs/{}/safety-stock", run_id)
        query: Query = {
            "category": category,
            "lead_time": lead_time,
            "lead_time_sd": lead_time_sd,
            "service_level": service_level,
        }
        return self._list(path, query, page_size)

    def list_series_metrics(
        self,
        run_id: str,
        *,
        series_id: str | None = None,
        category: str | None = None,
        page_size: int | None = None,
    ) -> Iterator[SeriesMetricsDto]:
        """Returns the metrics of the backtest of a run by series."""
        path = _path("/runs/{}/series-metrics", run_id)
        return self._list(path, {"series_id": series_id, "category": category}, page_size)

    def get_accuracy(
        self, run_id: str, *, series_id: str | None = None, category: str | None = None
    ) -> ForecastAccuracyDto:
        """Returns how good the forecasts of a run were, for the months that are over."""
        query: Query = {"series_id": series_id, "category": category}
        return cast(ForecastAccuracyDto, self._get(_path("/runs/{}/accuracy", run_id), query))

    def explain_changes(
        self,
        current: str,
        prior: str,
        *,
        series_id: str | None = None,
        category: str | None = None,
        page_size: int | None = None,
    ) -> Iterator[ForecastExplainDto]:
        """Returns what changed between two runs and why: pages of series, each with the totals."""
        path = _path("/runs/{}/compare/{}/forecast-explain", current, prior)
        query: Query = {"series_id": series_id, "category": category, "limit": page_size}
        return self._pages(path, query)

    def list_sensed_demand(
        self,
        run_id: str,
        *,
        series_id: str | None = None,
        category: str | None = None,
        page_size: int | None = None,
    ) -> Iterator[SensedDemandDto]:
        """Returns the forecasts of the month in progress, corrected by its demand so far."""
        path = _path("/runs/{}/demand-sensing", run_id)
        return self._list(path, {"series_id": series_id, "category": category}, page_size)

    @overload
    def wait(self, started: RunDto, *, timeout: float | None = None) -> RunDto: ...
    @overload
    def wait(
        self, started: UploadReplyDto | ImportDto, *, timeout: float | None = None
    ) -> ImportReportDto: ...
    def wait(
        self, started: RunDto | UploadReplyDto | ImportDto, *, timeout: float | None = None
    ) -> RunDto | ImportReportDto:
        """Returns a run once it has finished, or the report of an upload once it is stored.

        Polls as often as the service says, once a minute. Raises ApiProblem if the run or the
        upload failed, and TimeoutError if the next poll would be later than `timeout` seconds from
        now. A canceled run is returned: see its `status`.
        """
        state = cast(dict[str, Any], started)
        if "import_id" in state:
            return cast(UploadReplyDto, started)  # stored at once
        kind = "runs" if "progress" in state else "imports"
        deadline = None if timeout is None else time.monotonic() + timeout
        pause = POLL_SECONDS
        while state["finished_at"] is None:
            if deadline is not None and time.monotonic() + pause > deadline:
                raise TimeoutError(f"{kind}/{state['id']} has not finished within {timeout:g} s")
            time.sleep(pause)
            reply = self._transport.send("GET", self._address(f"/{kind}/{state['id']}"))
            state, pause = reply.body, reply.retry_after or POLL_SECONDS
        if state["error"] is not None:
            raise ApiProblem(None, {"detail": state["error"]["message"], **state["error"]})
        return cast("RunDto | ImportReportDto", state if kind == "runs" else state["report"])

    def _get(self, path: str, query: Query | None = None) -> Any:
        return self._transport.send("GET", self._address(path, query)).body

    def _send(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> Any:
        own = {} if body is None else {"Content-Type": "application/json"}
        content = None if body is None else json.dumps(body).encode()
        address = self._address(path)
        return self._transport.send(method, address, content, {**own, **(headers or {})}).body

    def _list(self, path: str, query: Query, page_size: int | None) -> Iterator[Any]:
        for page in self._pages(path, {**query, "limit": page_size}):
            yield from page

    def _pages(self, path: str, query: Query) -> Iterator[Any]:
        address: str | None = self._address(path, query)
        while address is not None:
            reply = self._transport.send("GET", address)
            yield reply.body
            link = re.search(r'<([^>]+)>; rel="next"', reply.headers.get("Link", ""))
            address = urljoin(address, link[1]) if link else None

    def _address(self, path: str, query: Query | None = None) -> str:
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        return f"{self._url}{path}{'?' if given else ''}{urlencode(given)}"


def _text(value: object) -> str:
    return value.astimezone(timezone.utc).isoformat() if isinstance(value, datetime) else str(value)


def _path(template: str, *values: str) -> str:
    return template.format(*(quote(value, safe="") for value in values))


def _idempotent(key: str | None) -> dict[str, str]:
    """One key for all attempts of a call, so that it takes effect once."""
    return {"Idempotency-Key": str(uuid4()) if key is None else key}
