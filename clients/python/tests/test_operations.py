"""The methods against docs/openapi.json."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import TestCase
from urllib.parse import parse_qs, urlsplit

from demand_forecasting_client import ForecastingClient
from generate import DOCUMENT, PUBLIC_API, TYPES, module_of

from .server import Answer, serving

SCOPE: dict[str, Any] = {"workspace_id": "w"}
MONTHS: dict[str, Any] = {"from_": "2026-01", "to": "2026-02"}
KEY: dict[str, Any] = {"idempotency_key": "k"}
OF_RUN: dict[str, Any] = {"series_id": "A", "category": "B"}
# each with all that it accepts
CALLS: dict[str, Callable[[ForecastingClient], object]] = {
    "ApiWorkspaces_list": lambda client: client.list_workspaces(),
    "Usage_get": lambda client: client.get_usage(),
    "Actuals_upload": lambda client: client.upload_actuals(
        [], fill="zero", decimal="point", respond_async=True, **SCOPE, **KEY
    ),
    "Actuals_read": lambda client: client.get_import("i"),
    "Series_list": lambda client: [
        *client.list_series(unique_id="A", category="B", **SCOPE, page_size=1),
        *client.list_trend_changes("2026-01-01", **SCOPE, page_size=1),
    ],
    "Series_read": lambda client: client.get_series("a/b", **SCOPE),
    "Series_readActuals": lambda client: client.get_actuals("a/b", **MONTHS, **SCOPE),
    "Alerts_list": lambda client: [
        *client.list_alerts(unread=False, since="2026-01-01", **SCOPE, page_size=1)
    ],
    "Alerts_mark": lambda client: client.mark_alert("i"),
    "Runs_start": lambda client: client.start_run(config_overrides={}, **SCOPE, **KEY),
    "Runs_list": lambda client: [
        *client.list_runs(status="failed", since="2026-01-01", **SCOPE, page_size=1)
    ],
    "Runs_get": lambda client: client.get_run("i"),
    "Runs_cancel": lambda client: client.cancel_run("i", **KEY),
    "RunResults_forecasts": lambda client: [
        *client.list_forecasts("i", apply_overrides=True, **OF_RUN, **MONTHS, page_size=1)
    ],
    "ForecastTotals_list": lambda client: client.get_totals(
        "i",
        group_by="workspace",
        category="B",
        without_category=True,
        **MONTHS,
        sum_months=True,
        apply_overrides=True,
    ),
    "SafetyStock_list": lambda client: [
        *client.list_safety_stocks(
            "i", category="B", lead_time=0.5, lead_time_sd=0.1, service_level=0.9, page_size=1
        )
    ],
    "SafetyStock_advise": lambda client: client.get_safety_stock(
        "i", "a/b", lead_time=0.5, lead_time_sd=0.1, service_level=0.9
    ),
    "SeriesForecast_read": lambda client: client.get_series_forecast(
        "a/b", "i", apply_overrides=True
    ),
    "SeriesMetrics_list": lambda client: [*client.list_series_metrics("i", **OF_RUN, page_size=1)],
    "ForecastAccuracy_read": lambda client: client.get_accuracy("i", **OF_RUN),
    "ForecastExplain_explain": lambda client: [
        *client.explain_changes("i", "j", **OF_RUN, page_size=1)
    ],
    "DemandSensing_read": lambda client: [*client.list_sensed_demand("i", **OF_RUN, page_size=1)],
}
ALIAS = "Runs_startByAlias"
# a page is followed by its Link, the rest is set by the transport and by the kind of the file
NOT_GIVEN = {"cursor", "Content-Encoding"}


class OperationsTest(TestCase):
    def setUp(self) -> None:
        paths = json.loads(DOCUMENT.read_bytes())["paths"]
        self.operations = {
            operation["operationId"]: (method.upper(), path, operation)
            for path, methods in paths.items()
            if path.startswith(PUBLIC_API)
            for method, operation in methods.items()
        }

    def test_each_operation_has_a_method(self) -> None:
        self.assertEqual(self.operations.keys() - {ALIAS}, CALLS.keys())

    def test_a_method_accepts_all_parameters_of_its_operation(self) -> None:
        for name, call in CALLS.items():
            method, path, operation = self.operations[name]
            with self.subTest(name), serving(Answer([])) as server:
                call(ForecastingClient(server.url, "fk_x"))
                given = set[str]()
                for asked in server.asked:
                    address = urlsplit(asked.path)
                    self.assertEqual(asked.method, method)
                    self.assertRegex(address.path, re.sub(r"\{\w+\}", "[^/]+", path) + "$")
                    given |= {*parse_qs(address.query), *asked.headers.keys()}
                documented = {
                    parameter["name"]
                    for parameter in operation.get("parameters", [])
                    if parameter["in"] != "path"
                }
                self.assertLessEqual(documented - NOT_GIVEN, given)

    def test_the_types_are_those_of_the_document(self) -> None:
        self.assertEqual(module_of(DOCUMENT.read_bytes()), Path(TYPES).read_text("utf-8"))
