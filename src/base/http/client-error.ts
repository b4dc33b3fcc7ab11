import { randomBytes, randomUUID } from 'node:crypto';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import { problemResponse } from './problem-response.ts';
import { isAnswered } from './unread-body.ts';

const codes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'request_header_fields_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** How long the rest of what a client sends is taken off the wire, so that the answer is not reset away. */
const lingerMs = 2_000;

/** Answers what is not even HTTP, by hand: no request object exists at this point. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex, base_url: string): void {
  // More of the same bad input after its answer: the parser complains of every chunk anew.
  if (socket.writableEnded && !socket.destroyed) return;
  if (error.code === 'ECONNRESET' || !socket.writable || answering(socket)) {
    socket.destroy();
    return;
  }
  answerByHand(socket, new Problem(codes[error.code ?? ''] ?? 'bad_request'), base_url);
}

/** Whether the answer to a request on this connection is on its way already: a second one would corrupt it. */
function answering(socket: Duplex): boolean {
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse | null };
  return response?.headersSent === true || isAnswered(socket);
}

export function answerByHand(socket: Duplex, problem: Problem, base_url: string): void {
  const request_id = randomUUID();
  const trace_id = randomBytes(16).toString('hex');
  const { status, headers, body } = problemResponse(problem, { base_url, request_id, trace_id });
  const payload = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `date: ${new Date().toUTCString()}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `x-request-id: ${request_id}`,
    `x-trace-id: ${trace_id}`,
    'x-content-type-options: nosniff',
    `content-length: ${Buffer.byteLength(payload)}`,
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${payload}`);
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.on('error', () => undefined);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
}
