"""Against a service: its URL in BASE, the key of a workspace without demand in KEY."""

from __future__ import annotations

import gzip
import io
import os
import unittest
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta, timezone
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from typing import Any, cast
from unittest import TestCase
from unittest.mock import patch
from urllib.parse import urljoin

from demand_forecasting_client import ApiProblem, ForecastingClient, to_dataframe
from demand_forecasting_client.schema import ImportDto, RunDto
from demand_forecasting_client.uploads import Demand

HORIZON = 2
PRODUCTS = ["P-1", "P-2", "P-3"]
DEMAND = [
    {"unique_id": product, "ds": f"{2023 + month // 12}-{month % 12 + 1:02}", "y": 50 + month % 7}
    for product in PRODUCTS
    for month in range(24)
]
CSV = "\n".join(["unique_id,ds,y", *(",".join(map(str, row.values())) for row in DEMAND)])


class ServiceTest(TestCase):
    client: ForecastingClient
    runs: list[RunDto]

    @classmethod
    def setUpClass(cls) -> None:
        cls.client = ForecastingClient(urljoin(os.environ["BASE"], "/"), os.environ["KEY"])
        with polling_soon() as waits:
            cls.client.wait(cls.client.upload_actuals(DEMAND))
            cls.runs = [
                cls.client.wait(
                    cls.client.start_run(config_overrides={"horizon": HORIZON, "seed": seed})
                )
                for seed in (1, 2)
            ]
        assert {call.args[0] for call in waits.call_args_list} == {60.0}

    def test_a_run_is_waited_for_and_read_page_by_page(self) -> None:
        run = self.runs[0]
        self.assertEqual(run["status"], "completed")
        rows = list(self.client.list_forecasts(run["id"], page_size=4))
        self.assertEqual([row["unique_id"] for row in rows], [p for p in PRODUCTS for _ in "12"])
        self.assertTrue(all(row["q10"] <= row["q50"] <= row["q90"] for row in rows))
        (of_one,) = self.client.list_forecasts(run["id"], series_id="P-2", to=rows[2]["ds"])
        self.assertEqual(of_one, rows[2])

    def test_an_idempotency_key_returns_the_same_run(self) -> None:
        first, again = (self.client.start_run(idempotency_key="nightly") for _ in "12")
        self.assertEqual(first["id"], again["id"])
        with self.assertRaises(ApiProblem) as caught:
            self.client.start_run(config_overrides={"horizon": 3}, idempotency_key="nightly")
        self.assertEqual(caught.exception.code, "idempotency_key_reused")

    def test_results_of_a_run(self) -> None:
        current, prior = (run["id"] for run in self.runs)
        self.assertEqual(len(self.client.get_series_forecast("P-1", current)["months"]), HORIZON)
        stock = self.client.get_safety_stock(current, "P-1", lead_time=2)
        self.assertEqual(stock["lead_time"], 2)
        stocks = list(self.client.list_safety_stocks(current, lead_time=2, page_size=2))
        self.assertIn(stock, stocks)
        metrics = list(self.client.list_series_metrics(current, page_size=2))
        self.assertEqual([item["unique_id"] for item in metrics], PRODUCTS)
        self.assertEqual(self.client.get_accuracy(current, series_id="P-1")["run_id"], current)
        pages = list(self.client.explain_changes(current, prior, page_size=2))
        self.assertEqual([len(page["series"]) for page in pages], [2, 1])
        totals = self.client.get_totals(current, group_by="workspace", sum_months=True)
        rows = list(self.client.list_forecasts(current))
        self.assertAlmostEqual(
            sum(total["mean"] for total in totals), sum(row["mean"] for row in rows), places=2
        )
        sensed = list(self.client.list_sensed_demand(current))
        self.assertLessEqual({item["unique_id"] for item in sensed}, {*PRODUCTS})
        self.assertEqual(self.client.get_run(current)["id"], current)
        with self.assertRaisesRegex(ApiProblem, "run_already_finished"):
            self.client.cancel_run(current)

    def test_lists_of_a_workspace(self) -> None:
        (workspace,) = self.client.list_workspaces()
        self.assertGreater(self.client.get_usage()["used"], 0)
        names = {series["unique_id"] for series in self.client.list_series(page_size=1)}
        self.assertLessEqual({*PRODUCTS}, names)
        self.assertEqual(self.client.get_series("P-1")["workspace_id"], workspace["id"])
        self.assertEqual(self.client.get_actuals("P-1", to="2023-02")[1]["y"], 51)
        completed = {run["id"] for run in self.client.list_runs(status="completed", page_size=1)}
        self.assertLessEqual({run["id"] for run in self.runs}, completed)
        self.assertTrue(all(alert["read_at"] is None for alert in self.client.list_alerts()))
        ended = datetime.fromisoformat(str(self.runs[0]["finished_at"]).replace("Z", "+00:00"))
        for since in (
            ended.astimezone(timezone(timedelta(hours=-5))),
            ended.astimezone().replace(tzinfo=None),
        ):
            later = {run["id"] for run in self.client.list_runs(status="completed", since=since)}
            self.assertEqual(later & {run["id"] for run in self.runs}, {self.runs[1]["id"]})
        changes = list(self.client.list_trend_changes(date(2000, 1, 1).isoformat()))
        self.assertTrue(all(change["workspace_id"] == workspace["id"] for change in changes))
        with self.assertRaisesRegex(ApiProblem, "not_found"):
            self.client.mark_alert(workspace["id"])

    def test_demand_comes_from_files_and_rows(self) -> None:
        dated = ({**row, "ds": date.fromisoformat(f"{row['ds']}-01")} for row in DEMAND)
        forms: dict[str, Demand] = {
            "a text file": io.StringIO(CSV),
            "a binary file": io.BytesIO(CSV.encode()),
            "an iterator": iter(DEMAND),
            "rows with dates": dated,
        }
        for name, form in forms.items():
            with self.subTest(name):
                self.assertEqual(self.stored(form), len(DEMAND))
        compressed = gzip.compress(CSV.encode())
        with self.subTest("a compressed file without a name"):
            self.assertEqual(self.stored(io.BytesIO(compressed)), len(DEMAND))
        json_lines = "\n".join(f'{{"unique_id": "P-1", "ds": "2024-0{n}", "y": 1}}' for n in (1, 2))
        with TemporaryDirectory() as directory:
            for name, content, count in [
                ("demand.csv", CSV.encode(), len(DEMAND)),
                ("demand.csv.gz", compressed, len(DEMAND)),
                ("demand.ndjson", json_lines.encode(), 2),
            ]:
                path = Path(directory, name)
                path.write_bytes(content)
                with self.subTest(name):
                    self.assertEqual(self.stored(path), count)
                    self.assertEqual(self.stored(str(path)), count)
                with self.subTest(f"{name}, opened"), path.open("rb") as file:
                    self.assertEqual(self.stored(file), count)
            for mode in ("rb", "rt"):
                path = Path(directory, "demand.csv.gz")
                with self.subTest(f"decompressed: {mode}"), gzip.open(path, mode) as decompressed:
                    self.assertEqual(self.stored(decompressed), len(DEMAND))

    def test_an_upload_in_the_background_is_waited_for(self) -> None:
        upload = cast(ImportDto, self.client.upload_actuals(DEMAND, respond_async=True))
        with polling_soon() as waits:
            self.assertEqual(self.client.wait(upload)["rows"], len(DEMAND))
            self.assertEqual(waits.call_args_list[0].args, (60.0,))
        self.assertEqual(self.client.get_import(upload["id"])["status"], "completed")
        with self.assertRaisesRegex(TimeoutError, "has not finished within 30 s"):
            self.client.wait(upload, timeout=30)

    def test_a_failed_upload_raises_its_error(self) -> None:
        rows = [{"unique_id": "P-1", "ds": "2026-13", "y": 1}]
        for respond_async, status in ((False, 400), (True, None)):
            with self.subTest(status), polling_soon(), self.assertRaises(ApiProblem) as caught:
                self.client.wait(self.client.upload_actuals(rows, respond_async=respond_async))
            problem = caught.exception
            self.assertEqual((problem.status, problem.code), (status, "invalid_data"))
            self.assertRegex(problem.errors[0]["param"], "ds")
            self.assertRegex(problem.detail, "1")

    def test_an_error_has_the_code_and_names_the_parameter(self) -> None:
        with self.assertRaises(ApiProblem) as caught:
            list(self.client.list_runs(page_size=0))
        problem = caught.exception
        self.assertEqual((problem.status, problem.code), (400, "invalid_request"))
        self.assertEqual(problem.errors[0]["param"], "limit")
        self.assertIsNotNone(problem.request_id)

    def test_threads_share_a_client(self) -> None:
        with ThreadPoolExecutor(8) as pool:
            seen = list(pool.map(lambda product: self.client.get_series(product), PRODUCTS * 8))
        self.assertEqual([series["unique_id"] for series in seen], PRODUCTS * 8)

    @unittest.skipUnless(find_spec("pandas"), "pandas is not installed")
    def test_data_frames_are_uploaded_and_returned(self) -> None:
        import pandas

        frame = pandas.DataFrame(DEMAND)
        days = frame.assign(ds=pandas.to_datetime(frame["ds"]))
        months = days.assign(ds=days["ds"].dt.to_period("M"))
        for form in (frame, days, months):
            self.assertEqual(self.stored(form), len(DEMAND))
        self.assertIsNone(self.client.get_actuals("P-1")[0]["days"])
        number = frame["y"].to_numpy()[0]
        self.assertEqual(self.stored([{"unique_id": "P-1", "ds": "2024-01", "y": number}]), 1)
        forecasts = to_dataframe(self.client.list_forecasts(self.runs[0]["id"]))
        self.assertEqual(forecasts.groupby("ds")["mean"].sum().shape, (HORIZON,))
        self.assertEqual(forecasts["ds"].dt.day.unique().tolist(), [1])

    def stored(self, demand: Demand) -> int:
        return self.client.wait(self.client.upload_actuals(demand))["rows"]


def polling_soon() -> Any:
    """Polls after a fraction of the time that the service asks for."""
    soon: Callable[[float], None] = lambda seconds: sleep(seconds / 200)  # noqa: E731
    return patch("demand_forecasting_client.client.time.sleep", side_effect=soon)
