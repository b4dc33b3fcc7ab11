import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { authenticate } from 'mailauth';
import PostalMime, { type Email } from 'postal-mime';
import { parseWithPython, whyNoPython } from '../protocol/mime/parse-with-python.fixture.ts';
import type { RemoteMx, RemoteMxMessage } from '../../test/support/remote-mx.ts';
import { senderDomain, type DeliveryBed } from './delivery-bed.fixture.ts';

const noPython = whyNoPython();

export interface Received {
  message: RemoteMxMessage;
  email: Email;
  header: (name: string) => string | undefined;
}

/** What arrived, after every check that any message has to pass. */
export async function receivedBy(
  bed: DeliveryBed,
  mx: RemoteMx,
  { t, count }: { t: TestContext; count: number },
): Promise<Received[]> {
  const messages = await mx.waitForMessages(count, 8_000);
  assert.equal(messages.length, count);
  if (noPython) t.diagnostic(noPython);
  const parsed = noPython ? [] : parseWithPython(messages.map(({ data }) => data));
  for (const { defects } of parsed) assert.deepEqual(defects, []);
  return await Promise.all(
    messages.map(async (message) => {
      await authenticates(bed, message);
      assert.match(message.mail_from, new RegExp(`^bounce-[0-9a-f]{48}@${senderDomain}$`));
      const email = await PostalMime.parse(message.data);
      const header = (name: string) => email.headers.find(({ key }) => key === name)?.value;
      for (const name of ['date', 'message-id', 'from', 'x-report-abuse', 'dkim-signature']) {
        assert.equal(email.headers.filter(({ key }) => key === name).length, 1, name);
      }
      assert.match(header('x-report-abuse') ?? '', /^<http:\/\/\S+\/report\/\S+>$/);
      assert.match(header('dkim-signature') ?? '', /c=relaxed\/simple/);
      const lines = message.data.toString('latin1').split('\r\n');
      assert.ok(lines.every((line) => line.length <= 998 && !/[\r\n]/.test(line)));
      return { message, email, header };
    }),
  );
}

async function authenticates(bed: DeliveryBed, { data, mail_from }: RemoteMxMessage): Promise<void> {
  const keys = await bed.service.db.query<{ selector: string; public_key: string }>(
    'select selector, public_key from dkim_keys where domain_id = $1',
    [bed.domainId],
  );
  const records = new Map([
    [senderDomain, 'v=spf1 ip4:127.0.0.0/8 -all'],
    [`_dmarc.${senderDomain}`, 'v=DMARC1; p=reject; adkim=s; aspf=s'],
    ...keys.map(
      ({ selector, public_key }) =>
        [`${selector}._domainkey.${senderDomain}`, `v=DKIM1; k=rsa; p=${public_key}`] as const,
    ),
  ]);
  const { dkim, spf, dmarc } = await authenticate(data, {
    ip: '127.0.0.1',
    helo: 'mx.chasqui.test',
    sender: mail_from,
    mta: 'mx.remote.test',
    disableArc: true,
    disableBimi: true,
    resolver: async (name: string, type: string) => {
      const record = type === 'TXT' ? records.get(name) : undefined;
      if (record === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
      return [[record]];
    },
  });
  const verdicts = [dkim?.results[0]?.status.result, spf && spf.status.result, dmarc && dmarc.status.result];
  assert.deepEqual(verdicts, ['pass', 'pass', 'pass']);
}
