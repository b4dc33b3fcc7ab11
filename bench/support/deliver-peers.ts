import { generateKeyPairSync } from 'node:crypto';
import { largeBytes, smallBytes, type Case, type DeliverRun } from './deliver-case.ts';
import { startHaraka } from './haraka.ts';
import { haveOpenDkim, startOpenDkim } from './opendkim.ts';
import { havePostfix, smtpSource, startPostfix } from './postfix.ts';
import { sinkHost } from './sink.ts';

/** Postfix and Haraka, each with and without signatures. */
export async function peerCases({ parts, sink_port, messages, wants }: DeliverRun): Promise<Case[]> {
  if (!havePostfix() || !haveOpenDkim()) return [];
  const relay_to = `${sinkHost}:${sink_port}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const dkim = { domain: 'b.test', key: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString() };
  const from =
    (port: number, size = smallBytes) =>
    async (count: number) =>
      await smtpSource(port, { messages: count, bytes: size, reuse: true });
  const cases: Case[] = [];
  if (wants('postfix') || wants('postfix-large')) {
    const { port, pid } = parts.keep(await startPostfix({ relay_to }));
    const small = { key: 'postfix', name: 'postfix', messages: messages.plain, load: from(port) };
    const large = { key: 'postfix-large', name: 'postfix, 100 KB', messages: messages.large };
    for (const one of [small, { ...large, load: from(port, largeBytes) }]) {
      if (wants(one.key)) cases.push({ ...one, pids: [pid], measured: [] });
    }
  }
  if (wants('haraka')) {
    const { port, pid } = parts.keep(await startHaraka({ relay_to, workers: 2 }));
    const one = { key: 'haraka', name: 'Haraka, 2 workers', messages: messages.plain };
    cases.push({ ...one, load: from(port), pids: [pid], measured: [] });
  }
  if (wants('opendkim')) {
    const milter = parts.keep(await startOpenDkim(dkim));
    const { port, pid } = parts.keep(await startPostfix({ relay_to, milter: milter.address }));
    const one = { key: 'opendkim', name: 'postfix + OpenDKIM RSA-2048', messages: messages.signed };
    cases.push({ ...one, load: from(port), pids: [pid, milter.pid], measured: [] });
  }
  if (wants('haraka-dkim')) {
    const { port, pid } = parts.keep(await startHaraka({ relay_to, dkim, workers: 2 }));
    const one = { key: 'haraka-dkim', name: 'Haraka, 2 workers, DKIM RSA-2048', messages: messages.signed };
    cases.push({ ...one, load: from(port), pids: [pid], measured: [] });
  }
  return cases;
}
