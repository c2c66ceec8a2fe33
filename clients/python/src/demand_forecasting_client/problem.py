"""The error of a call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .schema import ImportFaultDto


class ApiProblem(Exception):
    """An error response of the service (RFC 9457), or the error of a run or an import that failed.

    `code` is stable, `detail` is for people, `errors` names each invalid parameter. `body` has all
    members, such as the `report` of a rejected upload or `resets_at` of an exceeded quota.
    """

    def __init__(
        self, status: int | None, body: Mapping[str, Any], retry_after: float | None = None
    ) -> None:
        super().__init__(status, body, retry_after)  # what it is unpickled with
        self.status = status
        """Of the response; None for a run or an import, which failed after it was accepted."""
        self.code: str = body.get("code", "unknown")
        self.detail: str = body.get("detail", f"status {status} without problem details")
        self.errors: list[ImportFaultDto] = body.get("errors", [])
        self.request_id: str | None = body.get("request_id")
        self.retry_after = retry_after
        """Seconds after which to retry the same request, if the service says so (409, 429, 503)."""
        self.body = body

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"
