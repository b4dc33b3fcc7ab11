import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveChannel } from './live-channel.ts';
import { liveEventExample, type LiveEvent } from './live-schemas.ts';

test('a client that does not read is cut off, and the others go on', async () => {
  const channel = new LiveChannel();
  const [idle, reading] = [channel.open(undefined), channel.open(undefined)];
  let read = 0;
  reading.on('data', (chunk: Buffer) => (read += chunk.length));
  const event = liveEventExample as unknown as LiveEvent;
  const bytes = JSON.stringify(event).length;
  let sent = 0;
  for (; sent < 300 * 1024; sent += bytes) {
    channel.publish(event);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual([idle.destroyed, reading.destroyed], [true, false]);
  assert.ok(read > sent);
});
