"""Checked by mypy alone, which reports an `ignore` that ignores nothing."""

from demand_forecasting_client import ForecastingClient


def misuse(client: ForecastingClient) -> None:
    client.get_run()  # type: ignore[call-arg]
    client.get_series_forecast("SKU-1")  # type: ignore[call-arg]
    client.get_usage()["quotas"]  # type: ignore[typeddict-item]
    client.list_runs(status="done")  # type: ignore[arg-type]
    client.list_runs(limit=1)  # type: ignore[call-arg]
    client.start_run(config_overrides={"horizont": 6})  # type: ignore[arg-type]
    client.upload_actuals([1, 2])  # type: ignore[list-item]
    client.wait(client.get_usage())  # type: ignore[arg-type]
    for row in client.list_forecasts("…"):
        row["q50"].upper()  # type: ignore[attr-defined]
