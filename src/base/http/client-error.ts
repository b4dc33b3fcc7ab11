import { randomBytes, randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import { problemResponse } from './problem-response.ts';

const codes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'request_header_fields_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Answers what is not even HTTP, by hand: no request object exists at this point. */
export function answerClientError(error: Error & { code?: string }, socket: Socket, base_url: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const trace_id = randomBytes(16).toString('hex');
  const problem = new Problem(codes[error.code ?? ''] ?? 'bad_request');
  const { status, headers, body } = problemResponse(problem, { base_url, trace_id });
  const payload = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `x-request-id: ${randomUUID()}`,
    `x-trace-id: ${trace_id}`,
    `content-length: ${Buffer.byteLength(payload)}`,
    'connection: close',
  ];
  // The rest of what the client sends is not read; destroying at once would reset the answer away.
  socket.end(`${lines.join('\r\n')}\r\n\r\n${payload}`, () => socket.destroySoon());
}
