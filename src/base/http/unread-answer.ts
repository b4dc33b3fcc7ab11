import type { ServerResponse } from 'node:http';

/**
 * Breaks the connection of a client that takes nothing of its answer for `within_ms`. Node.js has no such limit. Its
 * timeout of the socket counts what the system takes as activity, so that a large piece on a slow line is not cut; an
 * answer of which nothing is waiting to be sent is still being made, and is waited for.
 */
export function endUnread(response: ServerResponse, within_ms: number): void {
  response.setTimeout(within_ms, () => {
    if (response.writableLength === 0) response.setTimeout(within_ms);
    else response.destroy(new Error('The client did not read the answer.'));
  });
}
