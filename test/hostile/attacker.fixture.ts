import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ApiResponse } from '../support/api.ts';

interface AttackRequest {
  base_url: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  /** At the same time, each on its own connection. */
  times: number;
}

/** In a thread of its own: what attackers do to send must not count as what the service does to receive. */
const attacker = `
const { parentPort, workerData } = require('node:worker_threads');
const http = require('node:http');
const { base_url, path, headers, body, times } = workerData;
const once = () => new Promise((resolve, reject) => {
  const options = { method: 'POST', headers: { ...headers, 'content-length': body.length }, agent: false };
  const request = http.request(base_url + path, options, (response) => {
    const chunks = [];
    response.on('data', (chunk) => chunks.push(chunk));
    response.on('end', () => {
      request.destroy();
      resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() });
    });
  });
  request.on('error', reject);
  request.end(body);
});
Promise.all(Array.from({ length: times }, once)).then((answers) => parentPort.postMessage(answers));
`;

export async function attackOverHttp(request: AttackRequest): Promise<ApiResponse[]> {
  const worker = new Worker(attacker, { eval: true, workerData: request });
  try {
    const [answers] = (await once(worker, 'message')) as [{ status: number; headers: never; body: string }[]];
    return answers.map(({ status, headers, body }) => ({
      status,
      headers: new Headers(headers),
      text: body,
      json: body === '' ? undefined : JSON.parse(body),
    }));
  } finally {
    await worker.terminate();
  }
}
