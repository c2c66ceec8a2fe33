"""HTTP with retries, by the standard library."""

from __future__ import annotations

import gzip
import json
import random
import ssl
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import IO, Any
from urllib.error import URLError
from urllib.request import (
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    Request,
    build_opener,
)

from .problem import ApiProblem

TRANSIENT = frozenset({408, 429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed."""
KEY_IN_USE = "idempotency_key_in_use"
"""The code if an earlier attempt, whose connection was lost, is still in progress."""
MAX_PAUSE = 120.0
"""Longest pause before a retry, in seconds: a response that asks for more is an error at once."""


def _retry_after(headers: Message) -> float | None:
    """None for a date, which a proxy may send."""
    with suppress(ValueError):
        return float(headers.get("Retry-After", ""))
    return None


class _Connection(HTTPConnection):
    """Reads the response also if the service closes while the body is sent: it says why."""

    def request(self, *args: Any, **options: Any) -> None:
        with suppress(BrokenPipeError, ConnectionResetError):
            super().request(*args, **options)


class _SecureConnection(_Connection, HTTPSConnection):
    pass


class _Handler(HTTPHandler):
    def http_open(self, request: Request) -> HTTPResponse:
        return self.do_open(_Connection, request)


class _SecureHandler(HTTPSHandler):
    def https_open(self, request: Request) -> HTTPResponse:
        return self.do_open(_SecureConnection, request)


class _AnyStatus(HTTPErrorProcessor):
    """Returns responses of all statuses, and follows no redirect, which would get the API key."""

    def http_response(self, request: Request, response: HTTPResponse) -> HTTPResponse:
        return response

    https_response = http_response


def _opener() -> OpenerDirector:
    return build_opener(_Handler, _SecureHandler, _AnyStatus)


@dataclass(frozen=True)
class Reply:
    """A successful response."""

    body: Any
    headers: Message

    @property
    def retry_after(self) -> float | None:
        """Seconds after which to poll again, while what was asked for is unfinished."""
        return _retry_after(self.headers)


@dataclass(frozen=True)
class Transport:
    """Sends requests and repeats those that failed but may succeed.

    All requests must be safe to repeat: a POST needs an `Idempotency-Key`. Each has a connection of
    its own, so that threads share nothing and nothing is left open.
    """

    api_key: str = field(repr=False)
    timeout: float
    retries: int
    opener: OpenerDirector = field(init=False, repr=False, default_factory=_opener)

    def send(
        self,
        method: str,
        url: str,
        body: bytes | IO[bytes] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Raises ApiProblem for an error response, ConnectionError if there was no response."""
        own = {"X-API-Key": self.api_key, "Accept": "application/json", "Accept-Encoding": "gzip"}
        attempt = 0
        while True:
            is_last = attempt == self.retries
            pause = random.uniform(0.5, 1) * 2**attempt
            if body is not None and not isinstance(body, bytes):
                body.seek(0)
            try:
                # a proxy leaves its mark on a request: opened again, it would go unencrypted
                return self._attempt(Request(url, body, {**own, **(headers or {})}, method=method))
            except ApiProblem as problem:
                pause = pause if problem.retry_after is None else problem.retry_after
                may_succeed = problem.status in TRANSIENT or problem.code == KEY_IN_USE
                if is_last or not may_succeed or pause > MAX_PAUSE:
                    raise
            except (OSError, HTTPException) as error:
                reason = error.reason if isinstance(error, URLError) else error
                if is_last or isinstance(reason, ssl.SSLCertVerificationError):
                    message = f"no response from {url}: {reason or type(reason).__name__}"
                    raise ConnectionError(message) from error
            time.sleep(pause)
            attempt += 1

    def _attempt(self, request: Request) -> Reply:
        with self.opener.open(request, timeout=self.timeout) as response:
            status: int = response.status
            headers: Message = response.headers
            content: bytes = response.read()
        if headers.get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        body = None
        if "json" in headers.get("Content-Type", ""):
            with suppress(ValueError):  # a proxy may send something else under that type
                body = json.loads(content)
        if body is None or status >= 300:
            described = body if isinstance(body, dict) else {}
            raise ApiProblem(status, described, _retry_after(headers))
        return Reply(body, headers)
