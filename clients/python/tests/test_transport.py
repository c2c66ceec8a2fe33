"""Retries, errors and pages, with a service that answers as it is told."""

from __future__ import annotations

import os
import pickle
import socket
from threading import Thread
from unittest import TestCase
from unittest.mock import patch

from demand_forecasting_client import ApiProblem, ForecastingClient

from .server import Answer, serving

USAGE = Answer({"quota": 1})
LOST = Answer(is_lost=True)


def problem(status: int, code: str, **headers: str) -> Answer:
    body = {"status": status, "code": code, "detail": "Because.", "request_id": "r"}
    return Answer(body, status, headers, "application/problem+json")


def busy(retry_after: str) -> Answer:
    return problem(503, "not_ready", **{"Retry-After": retry_after})


class TransportTest(TestCase):
    def setUp(self) -> None:
        sleeping = patch("demand_forecasting_client.transport.time.sleep")
        self.sleep = sleeping.start()
        self.addCleanup(sleeping.stop)

    def pauses(self) -> list[float]:
        return [call.args[0] for call in self.sleep.call_args_list]

    def test_repeats_a_post_with_the_same_body_and_idempotency_key(self) -> None:
        rows = ({"unique_id": "A", "ds": f"2026-{month:02}", "y": month} for month in (1, 2))
        in_use = problem(409, "idempotency_key_in_use", **{"Retry-After": "1"})
        with serving(LOST, in_use, busy("7"), Answer({"rows": 2})) as server:
            reply = ForecastingClient(server.url, "fk_x", timeout=5).upload_actuals(rows)
        self.assertEqual(reply, {"rows": 2})
        self.assertEqual(self.pauses()[1:], [1, 7])
        self.assertTrue(0.5 <= self.pauses()[0] <= 1)
        self.assertEqual(len({asked.headers["Idempotency-Key"] for asked in server.asked}), 1)
        (body,) = {asked.body for asked in server.asked}
        self.assertEqual(len(body.splitlines()), 2)

    def test_takes_the_url_of_the_service_or_of_its_api(self) -> None:
        with serving(Answer({})) as server:
            for end in ("", "/", "/api/v1", "/api/v1/"):
                ForecastingClient(server.url + end, "fk_x").get_usage()
        self.assertEqual({asked.path for asked in server.asked}, {"/api/v1/usage"})

    def test_gives_each_post_a_key_of_its_own(self) -> None:
        with serving(Answer({})) as server:
            client = ForecastingClient(server.url, "fk_x")
            client.start_run()
            client.start_run()
        self.assertEqual(len({asked.headers["Idempotency-Key"] for asked in server.asked}), 2)

    def test_does_not_repeat_what_would_fail_again_or_may_take_long(self) -> None:
        for answer in (problem(404, "not_found"), problem(409, "plan_limit_reached"), busy("600")):
            with self.subTest(answer.status), serving(answer) as server:
                with self.assertRaises(ApiProblem):
                    ForecastingClient(server.url, "fk_x").get_usage()
                self.assertEqual(len(server.asked), 1)

    def test_waits_longer_each_time_and_raises_the_last_error(self) -> None:
        with serving(busy("Fri, 20 Nov 2026 06:00:00 GMT")) as server:
            with self.assertRaises(ApiProblem) as caught:
                ForecastingClient(server.url, "fk_x", retries=3).get_usage()
            self.assertEqual(len(server.asked), 4)
        self.assertIsNone(caught.exception.retry_after)
        for pause, longest in zip(self.pauses(), (1, 2, 4), strict=True):
            self.assertTrue(longest / 2 <= pause <= longest)

    def test_raises_a_connection_error_if_there_is_no_response(self) -> None:
        with serving(LOST) as server:
            client = ForecastingClient(server.url, "fk_x", retries=1)
            with self.assertRaisesRegex(ConnectionError, f"no response from {server.url}/api/v1/u"):
                client.get_usage()
            self.assertEqual(len(server.asked), 2)
        with self.assertRaisesRegex(ConnectionError, "refused"):
            client.get_usage()

    def test_a_timeout_is_a_lost_connection(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}"
            with self.assertRaisesRegex(ConnectionError, "timed out"):
                ForecastingClient(url, "fk_x", timeout=0.05, retries=0).get_usage()

    def test_an_error_has_the_members_of_the_problem_and_can_be_pickled(self) -> None:
        with serving(busy("600")) as server, self.assertRaises(ApiProblem) as caught:
            ForecastingClient(server.url, "fk_x").get_usage()
        for error in (caught.exception, pickle.loads(pickle.dumps(caught.exception))):
            self.assertEqual(str(error), "not_ready: Because.")
            self.assertEqual((error.status, error.code, error.errors), (503, "not_ready", []))
            self.assertEqual((error.request_id, error.retry_after), ("r", 600))

    def test_a_page_of_a_proxy_is_an_error_without_a_code(self) -> None:
        pages = [
            (200, "<html>", "text/html"),
            (403, "<html>", "text/html"),
            (200, "", "application/json"),
            (403, "", "application/json"),
            (403, '["Forbidden"]', "application/json"),
        ]
        for status, text, content_type in pages:
            page = Answer(text, status, content_type=content_type)
            with self.subTest((status, text)), serving(page) as server:
                with self.assertRaises(ApiProblem) as caught:
                    ForecastingClient(server.url, "fk_x").get_usage()
                self.assertEqual(
                    (caught.exception.status, caught.exception.code), (status, "unknown")
                )

    def test_a_redirect_does_not_get_the_key(self) -> None:
        with serving(USAGE) as elsewhere:
            moved = Answer("", 302, {"Location": f"{elsewhere.url}/api/v1/usage"}, "text/html")
            with serving(moved) as server, self.assertRaises(ApiProblem):
                ForecastingClient(server.url, "fk_x").get_usage()
            self.assertEqual(elsewhere.asked, [])

    def test_every_attempt_goes_through_the_tunnel_of_a_proxy(self) -> None:
        with serving(busy("1")) as proxy, patch.dict(os.environ, {"https_proxy": proxy.url}):
            client = ForecastingClient("https://forecasts.example.com", "fk_x", retries=2)
            with self.assertRaisesRegex(ConnectionError, "503"):
                client.get_usage()
        asked = [(request.method, request.path) for request in proxy.asked]
        self.assertEqual(asked, [("CONNECT", "forecasts.example.com:443")] * 3)

    def test_calls_a_service_under_a_base_path_on_every_page(self) -> None:
        link = {"Link": '</planning/api/v1/series?cursor=x>; rel="next"'}
        with serving(Answer([{}], headers=link), Answer([{}])) as server:
            client = ForecastingClient(f"{server.url}/planning/", "fk_x")
            self.assertEqual([*client.list_series()], [{}, {}])
        paths = [asked.path for asked in server.asked]
        self.assertEqual(paths, ["/planning/api/v1/series", "/planning/api/v1/series?cursor=x"])

    def test_reads_why_an_upload_is_rejected_before_it_has_arrived(self) -> None:
        rows = [{"unique_id": "A" * 1_000_000, "ds": "2026-01", "y": 1}] * 20
        with socket.create_server(("127.0.0.1", 0)) as listener:

            def reject() -> None:
                connection, _ = listener.accept()
                with connection:
                    connection.recv(65_536)
                    head = b"HTTP/1.1 401 No\r\nContent-Type: application/problem+json\r\n\r\n"
                    connection.sendall(head + b'{"code": "api_key_invalid"}')

            thread = Thread(target=reject)
            thread.start()
            url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            with self.assertRaises(ApiProblem) as caught:
                ForecastingClient(url, "fk_x", retries=0).upload_actuals(rows)
            thread.join()
        self.assertEqual(caught.exception.code, "api_key_invalid")
