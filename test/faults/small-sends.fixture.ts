import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export interface SmallSender {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface SmallSends {
  /** How long each took. */
  times_ms: number[];
  /** Answers that were not 200. */
  refused: number[];
}

/** Sends one small mail after another until a message comes: in a thread of its own, since the test's is busy. */
const { url, headers, body } = workerData as SmallSender;
const done: SmallSends = { times_ms: [], refused: [] };
let isOver = false;
parentPort?.once('message', () => {
  isOver = true;
});
while (!isOver) {
  const began = performance.now();
  const { status } = await fetch(url, { method: 'POST', headers, body });
  done.times_ms.push(performance.now() - began);
  if (status !== 200) done.refused.push(status);
  await delay(10);
}
parentPort?.postMessage(done);
