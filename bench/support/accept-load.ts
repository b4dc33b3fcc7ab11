import type { BareMail } from './bare-mail.ts';
import type { Task } from './http-load.ts';
import { loadWithNode } from './http-load-process.ts';
import { processorTime } from './processor-time.ts';
import type { ServiceUnderTest } from './service-under-test.ts';
import { loadWithSmtp, type SmtpTask } from './smtp-load.ts';
import { haveWrk, loadWithWrk } from './wrk.ts';

/** Messages to accept: 3 KB of JSON over HTTP, and the same amount over SMTP submission. */
const seconds = Number(process.env['SECONDS'] ?? 4);
export const httpConnections = 64;
export const message_bytes = 3000;
/** Of a round over SMTP, some seconds' worth. */
export const messagesARound = { reused: 12_000, fresh: 6_000 };
/**
 * Of a round, what comes before it uncounted: what is meant is mail that keeps coming. Ten seconds without any, while the
 * others have their turn, and V8 has thrown away enough for two seconds of twice the work.
 */
const runUp = 0.5;

export interface Measured {
  per_second: number;
  p50_ms?: number;
  p99_ms?: number;
  messages: number;
}

export interface Round extends Measured {
  /** Processor time a message: of the process itself, and with all below it (PostgreSQL; postfix's many). */
  own_us: number;
  all_us: number;
}

export interface Target {
  pid: number;
  http: Pick<Task, 'base_url' | 'headers'>;
  smtp: Pick<SmtpTask, 'address' | 'username' | 'password'>;
  sender: string;
}

export async function ourTarget(service: ServiceUnderTest): Promise<Target> {
  const options = ['--instance', service.slug, '--name', 'bench'];
  const credential = await service.command('smtp-credential', 'create', ...options);
  return {
    pid: service.pid,
    http: {
      base_url: service.base_url,
      headers: { authorization: `Bearer ${service.api_key}`, 'x-instance-slug': service.slug },
    },
    smtp: {
      address: service.submission.starttls,
      username: String(credential['username']),
      password: String(credential['password']),
    },
    sender: `test@${service.slug}.sandbox.test`,
  };
}

export function bareTarget({ pid, http_port, smtp_port }: BareMail): Target {
  return {
    pid,
    http: { base_url: `http://127.0.0.1:${http_port}`, headers: {} },
    smtp: { address: `127.0.0.1:${smtp_port}`, username: 'bare', password: 'bare' },
    sender: 'test@bare.test',
  };
}

/** As it stands in the body of a send. */
const mailOf = (sender: string, recipients: number): object => ({
  sender_email: sender,
  to: Array.from({ length: recipients }, (_, index) => ({ email: `r${index}@sandbox.test` })),
  subject: 'Benchmark',
  html: `<p>${'Lorem ipsum dolor sit amet, consectetur. '.repeat(65)}</p>`,
});

export async function loadHttp(
  { http, sender }: Target,
  recipients: number,
  share: number,
): Promise<Measured> {
  const body = JSON.stringify(mailOf(sender, recipients));
  return await postMany(http, { path: '/v1/mails/send', body, connections: httpConnections }, share);
}

/** Batches of so many mails to one recipient each; what is counted is mails. */
export async function loadBatches({ http, sender }: Target, mails: number, share: number): Promise<Measured> {
  const body = JSON.stringify({ mails: Array.from({ length: mails }, () => mailOf(sender, 1)) });
  const measured = await postMany(http, { path: '/v1/mails/batch', body, connections: 4 }, share);
  return { ...measured, per_second: measured.per_second * mails, messages: measured.messages * mails };
}

async function postMany(
  { base_url, headers }: Target['http'],
  { path, body, connections }: Pick<Task, 'path' | 'connections'> & { body: string },
  share: number,
): Promise<Measured> {
  // wrk takes whole seconds.
  const duration = Math.ceil(seconds * share);
  const task: Task = {
    base_url,
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    connections,
    seconds: duration,
  };
  const result = haveWrk() ? await loadWithWrk(task, duration) : await loadWithNode(task);
  if (result.failures > 0) throw new Error(`${result.failures} calls of ${path} were refused`);
  return { ...result, messages: result.per_second * duration };
}

export async function loadSmtp({ smtp, sender }: Target, reuse: boolean, share: number): Promise<Measured> {
  const task: SmtpTask = {
    ...smtp,
    from: sender,
    to: 'delivered@sandbox.test',
    bytes: message_bytes,
    connections: 20,
    messages: (reuse ? messagesARound.reused : messagesARound.fresh) * share,
    reuse,
  };
  const { per_second } = await loadWithSmtp(task);
  return { per_second, messages: task.messages };
}

/** A round of the load, or a share of one, after its run-up, with the processor time it took. */
export async function measureRound(
  { pid, load }: { pid: number; load: (share: number) => Promise<Measured> },
  share: number,
): Promise<Round> {
  await load(runUp * share);
  const before = processorTime(pid);
  const measured = await load(share);
  const after = processorTime(pid);
  const own_us = (after.own_us - before.own_us) / measured.messages;
  return { ...measured, own_us, all_us: own_us + (after.others_us - before.others_us) / measured.messages };
}
