"""A service that answers as it is told and records what it was asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass
class Answer:
    body: object = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    is_lost: bool = False
    """Whether the connection is closed without a response."""


@dataclass
class Asked:
    method: str
    path: str
    headers: Message
    body: bytes


@dataclass
class Server:
    url: str
    answers: list[Answer]
    asked: list[Asked] = field(default_factory=list)


@contextmanager
def serving(*answers: Answer) -> Iterator[Server]:
    """Yields a service that gives one answer after the other, and the last one from then on."""

    class Handler(BaseHTTPRequestHandler):
        def handle_one_request(self) -> None:
            self.raw_requestline = self.rfile.readline()
            self.close_connection = True
            if not self.parse_request():
                return
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            server.asked.append(Asked(self.command, self.path, self.headers, body))
            answer = server.answers.pop(0) if len(server.answers) > 1 else server.answers[0]
            if answer.is_lost:
                return
            text = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
            self.send_response(answer.status)
            for name, value in {"Content-Type": answer.content_type, **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        server = Server(f"http://127.0.0.1:{listener.server_address[1]}", [*answers])
        thread = Thread(target=listener.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            listener.shutdown()
            thread.join()
