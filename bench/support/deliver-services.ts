import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startDnsServer } from '../../test/support/dns-server.ts';
import { startBareMail } from './bare-mail.ts';
import { connections, largeBytes, smallBytes, type Case, type DeliverRun } from './deliver-case.ts';
import { htmlWithLinks } from './html-with-links.ts';
import type { Task } from './http-load.ts';
import { loadWithNode } from './http-load-process.ts';
import { addSendingDomain } from './sending-domain.ts';
import { startServiceUnderTest, type ServiceUnderTest } from './service-under-test.ts';
import { sinkHost } from './sink.ts';
import { loadWithSmtp, type SmtpTask } from './smtp-load.ts';

/** PROFILE=folder writes a profile of the service there. */
const profiling = process.env['PROFILE'] ? `--cpu-prof --cpu-prof-dir=${process.env['PROFILE']}` : '';

async function smtpTask(service: ServiceUnderTest, from: string): Promise<SmtpTask> {
  const options = ['--instance', service.slug, '--name', 'bench'];
  const credential = await service.command('smtp-credential', 'create', ...options);
  return {
    address: service.submission.starttls,
    username: String(credential['username']),
    password: String(credential['password']),
    from,
    to: 'c@d.test',
    bytes: smallBytes,
    connections,
    messages: 0,
    reuse: true,
  };
}

function httpTask(service: ServiceUnderTest, from: string): Task {
  return {
    base_url: service.base_url,
    path: '/v1/mails/send',
    headers: {
      authorization: `Bearer ${service.api_key}`,
      'x-instance-slug': service.slug,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      sender_email: from,
      to: [{ email: 'c@d.test' }],
      subject: 'Benchmark',
      html: htmlWithLinks(20_000, 30),
    }),
    connections,
  };
}

const freeSignatures = pathToFileURL(path.join(import.meta.dirname, 'free-signatures.ts')).href;

/** Starts a service that delivers to the sink. */
type Start = (more: Record<string, string>, checkout?: string) => Promise<ServiceUnderTest>;

async function deliveringTo({ parts, sink_port }: Pick<DeliverRun, 'parts' | 'sink_port'>): Promise<Start> {
  const dns = parts.keep(await startDnsServer({ records: { 'd.test': { MX: ['10 mx.d.test'] } } }));
  dns.set('mx.d.test', 'A', [sinkHost]);
  const env = {
    CHASQUI_DNS_SERVERS: dns.address,
    CHASQUI_MX_PORT: String(sink_port),
    CHASQUI_MX_ALLOW_PRIVATE: 'true',
    CHASQUI_SMTP_ALLOW_PLAINTEXT: 'true',
  };
  return async (more, checkout) =>
    parts.keep(
      await startServiceUnderTest(
        'api,submission,delivery',
        { ...env, ...more },
        checkout === undefined ? {} : { checkout },
      ),
    );
}

/** Small messages with free signatures, by another checkout of this repository. */
export async function caseOfCheckout(
  run: Pick<DeliverRun, 'parts' | 'sink_port'>,
  checkout: string,
  messages: number,
): Promise<Case> {
  const start = await deliveringTo(run);
  const service = await start({ NODE_OPTIONS: `--import=${freeSignatures}` }, checkout);
  // Its own, since it writes to the tables of that checkout.
  const helper = pathToFileURL(path.join(checkout, 'bench/support/sending-domain.ts')).href;
  const own = (await import(helper)) as { addSendingDomain: typeof addSendingDomain };
  const from = await own.addSendingDomain(service, { domain: 'free.example' });
  const kind = { prefix: 'free-', name: checkout, messages: { small: messages, large: 0, signed: 0 } };
  const [small] = await casesOf(service, from, kind);
  if (!small) throw new Error('There is no case to measure.');
  return small;
}

export async function ourCases({ parts, sink_port, messages, wants }: DeliverRun): Promise<Case[]> {
  const start = await deliveringTo({ parts, sink_port });
  const free = {
    prefix: 'free-',
    name: 'Chasqui, signatures for free',
    messages: { ...messages, small: messages.plain },
  };
  const rsa = {
    prefix: '',
    name: 'Chasqui, DKIM RSA-2048',
    messages: { ...messages, small: messages.signed },
  };
  const cases: Case[] = [];
  if (['free-small', 'free-large', 'free-rich'].some(wants)) {
    const service = await start({ NODE_OPTIONS: `--import=${freeSignatures} ${profiling}` });
    cases.push(
      ...(await casesOf(service, await addSendingDomain(service, { domain: 'free.example' }), free)),
    );
  }
  if (['small', 'large', 'rich'].some(wants)) {
    const service = await start({ NODE_OPTIONS: profiling });
    cases.push(...(await casesOf(service, await addSendingDomain(service, { domain: 'two.example' }), rsa)));
  }
  return cases.filter(({ key }) => wants(key));
}

interface Kind {
  prefix: string;
  name: string;
  messages: { small: number; large: number; signed: number };
}

/** Small and large messages over SMTP, and rich ones over HTTP. */
async function casesOf(
  service: ServiceUnderTest,
  from: string,
  { prefix, name, messages }: Kind,
): Promise<Case[]> {
  const smtp = await smtpTask(service, from);
  const overSmtp = (size: number) => async (count: number) =>
    await loadWithSmtp({ ...smtp, bytes: size, messages: count });
  const overHttp = async (requests: number) => await loadWithNode({ ...httpTask(service, from), requests });
  const small = { key: `${prefix}small`, name, messages: messages.small, load: overSmtp(smallBytes) };
  const large = { key: `${prefix}large`, name: `${name}, 100 KB`, messages: messages.large };
  const rich = { key: `${prefix}rich`, name: `${name}, HTTP, 20 KB HTML with 30 links` };
  return [
    small,
    { ...large, load: overSmtp(largeBytes) },
    { ...rich, messages: messages.signed, load: overHttp },
  ].map((one) => ({ ...one, pids: [service.pid], measured: [] }));
}

/** Unsigned, as is what it is held against. */
export async function bareCases({ parts, sink_port, messages, wants }: DeliverRun): Promise<Case[]> {
  if (!wants('bare') && !wants('bare-large')) return [];
  const { smtp_port, pid } = parts.keep(await startBareMail({ relay_to: `${sinkHost}:${sink_port}` }));
  const task = {
    address: `127.0.0.1:${smtp_port}`,
    username: 'bare',
    password: 'bare',
    from: 'a@b.test',
    to: 'c@d.test',
    connections,
    reuse: true,
  };
  const load = (size: number) => async (count: number) =>
    await loadWithSmtp({ ...task, bytes: size, messages: count });
  const small = { key: 'bare', name: 'bare', messages: messages.plain, load: load(smallBytes) };
  const large = {
    key: 'bare-large',
    name: 'bare, 100 KB',
    messages: messages.large,
    load: load(largeBytes),
  };
  return [small, large].filter(({ key }) => wants(key)).map((one) => ({ ...one, pids: [pid], measured: [] }));
}
