import { randomUUID } from 'node:crypto';
import { type IncomingMessage, maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem } from '../problem.js';
import { PROBLEM_TYPE, problemBody } from '../problem.filter.js';

/** Node's error code for a request that did not arrive in time. */
const LATE = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Answers data that Node could not parse as a request with a problem, like any other refusal, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  sendRaw(socket, problemOf(error.code));
}

/** Answers `CONNECT`, which no path supports: Node would close the connection without a reply. */
export function answerConnect(_request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy()); // Node no longer handles the socket, and an unhandled error would end the process
  socket.once('finish', () => socket.destroy()); // it no longer has a timeout, and shutdown would wait for a client that stays connected
  const detail = 'This service is not a proxy and does not support CONNECT.';
  // an empty Allow says that no method is supported (RFC 9110, section 10.2.1)
  sendRaw(socket, new Problem(405, 'method_not_allowed', detail, { headers: { allow: '' } }));
}

/** Answers a request whose body does not arrive in time, and closes the connection without waiting for the client. */
export function cutOff(socket: Socket, problem = lateRequest()): void {
  if (socket.writable) sendRaw(socket, problem);
  socket.destroySoon();
}

const lateRequest = (): Problem => new Problem(408, 'request_timeout', 'The request did not arrive in time.');

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const detail = `The headers exceed the ${maxHeaderSize} bytes that this service accepts.`;
    return new Problem(431, 'headers_too_large', detail);
  }
  if (code === LATE) return lateRequest();
  return new Problem(400, 'invalid_request', 'This is not a valid HTTP/1.1 request.');
}

/** Writes a problem to a connection for which Node has no reply object, and closes it. */
function sendRaw(socket: Duplex, problem: Problem): void {
  const id = randomUUID();
  const body = problemBody(problem, id);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    ...Object.entries(problem.options.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    `content-type: ${PROBLEM_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    'cache-control: no-store',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
