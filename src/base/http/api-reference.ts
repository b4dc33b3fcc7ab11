import { Worker } from 'node:worker_threads';

/** What a browser loads to show the reference of the API. */
export interface ApiReference {
  html: string;
  /** gzip of its JavaScript. */
  script: Uint8Array;
}

let made: Promise<ApiReference> | undefined;

/**
 * Made for the first request, in a thread that ends afterwards: the package carries the script as a string of 4 MB in its
 * own source, which took every process 50 MB and 0.2 s of its start, looked at or not. What stays is 1 MB.
 */
export async function apiReference(): Promise<ApiReference> {
  made ??= inThread();
  try {
    return await made;
  } catch (error) {
    made = undefined;
    throw error;
  }
}

async function inThread(): Promise<ApiReference> {
  const { promise, resolve, reject } = Promise.withResolvers<ApiReference>();
  // Neither the secrets of the environment nor the options of the process are for it.
  const thread = new Worker(new URL('api-reference-thread.ts', import.meta.url), { env: {}, execArgv: [] });
  thread.once('message', resolve).once('error', reject);
  thread.once('exit', () => reject(new Error('The thread that makes the reference ended without it.')));
  return await promise;
}
