import { request, type IncomingHttpHeaders } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

export interface HttpAttack {
  base_url: string;
  path: string;
  headers: Record<string, string>;
  body: Uint8Array;
  /** At the same time, each on its own connection. */
  times: number;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

const { base_url, path, headers, body, times } = workerData as HttpAttack;

async function post(): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const options = { method: 'POST', headers: { ...headers, 'content-length': body.length }, agent: false };
  const sent = request(`${base_url}${path}`, options, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => {
      sent.destroy();
      const { statusCode: status = 0, headers: answered } = response;
      resolve({ status, headers: answered, body: Buffer.concat(chunks).toString() });
    });
  });
  sent.on('error', reject);
  sent.end(body);
  return await promise;
}

parentPort?.postMessage(await Promise.all(Array.from({ length: times }, post)));
