import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { ApiResponse } from '../support/api.ts';
import type { RemoteMxOptions } from '../support/remote-mx.ts';
import type { HttpAnswer, HttpAttack } from './http-attacker.fixture.ts';
import type { SmtpAttack } from './smtp-attacker.fixture.ts';

/** In threads of their own: what attackers do to send must not count as what the service does to receive. */
async function runAttacker<T>(script: string, workerData: unknown): Promise<T> {
  const worker = new Worker(new URL(script, import.meta.url), { workerData });
  try {
    const [answers] = (await once(worker, 'message')) as [T];
    return answers;
  } finally {
    await worker.terminate();
  }
}

/** The answers to one request that is made several times at once. */
export async function attackOverHttp(attack: HttpAttack): Promise<ApiResponse[]> {
  const answers = await runAttacker<HttpAnswer[]>('./http-attacker.fixture.ts', attack);
  return answers.map(({ status, headers, body }) => ({
    status,
    headers: new Headers(headers as Record<string, string>),
    text: body,
    json: body === '' ? undefined : JSON.parse(body),
  }));
}

/** The replies to one message that is handed over several times at once: the last of each session. */
export async function attackOverSmtp(attack: SmtpAttack): Promise<string[]> {
  return await runAttacker<string[]>('./smtp-attacker.fixture.ts', attack);
}

/** A mail server that takes everything. */
export async function startRemoteMxThread(t: TestContext, options: RemoteMxOptions): Promise<void> {
  const worker = new Worker(new URL('./remote-mx-thread.fixture.ts', import.meta.url), {
    workerData: options,
  });
  t.after(async () => void (await worker.terminate()));
  await once(worker, 'message');
}
