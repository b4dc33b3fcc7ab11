import assert from 'node:assert/strict';
import { openConsentAccount, type ConsentAccount } from '../consent/consent-account.fixture.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Broadcast } from './broadcast-schemas.ts';

/** A tenant that can send broadcasts, to people at sandbox.test who agreed or not. */
export interface BroadcastAccount extends ConsentAccount {
  sender_id: number;
  template_id: number;
  /** A draft to everyone who agreed to marketing, unless said otherwise. */
  draft: (more?: object) => Promise<Broadcast>;
  /** Sends it, and gives it back. */
  send: (id: number) => Promise<Broadcast>;
  /** Once it is in this state. */
  inState: (id: number, state: Broadcast['state']) => Promise<Broadcast>;
  /** What a contact told by a form. */
  tell: (email: string, answers: object, more?: { is_update?: boolean }) => Promise<void>;
  /** Recipients and statuses of the mails of a broadcast, in order. */
  mailsOf: (broadcast: Pick<Broadcast, 'custom_group_code'>) => Promise<MailOf[]>;
}

export interface MailOf extends Record<string, unknown> {
  recipient: string;
  status: number;
  mail_id: string;
  msg_id: string;
  subject: string;
}

export async function openBroadcastAccount(service: TestService): Promise<BroadcastAccount> {
  const account = await openConsentAccount(service);
  const { api, instance } = account;
  const made = async (path: string, body: object): Promise<{ id: number }> => {
    const answer = await api.post(path, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
  };
  const { id: sender_id } = await made('/v1/senders', {
    name: 'News',
    email_address: `news@${instance.slug}.sandbox.test`,
    stream: 'broadcast',
  });
  const { id: template_id } = await made('/v1/mail-templates', {
    name: 'News',
    subject: 'News for {{ contact.FIRST_NAME | default: "you" }}',
    editor: 'html',
    source:
      '<p>Hello {{ contact.FIRST_NAME }}, <a href="https://example.com/spring">look</a>. <a href="{{ unsubscribe_url }}">Leave</a></p>',
  });
  await api.post(`/v1/mail-templates/${template_id}/publish`, undefined);
  const form_id = await insertForm(service, instance.id);
  const get = async (id: number): Promise<Broadcast> => (await api.get(`/v1/broadcasts/${id}`)).json;
  return {
    ...account,
    sender_id,
    template_id,
    draft: async (more = {}) =>
      (await made('/v1/broadcasts', {
        name: 'Spring',
        sender_id,
        template_id,
        audience: { purpose_id: account.marketing },
        ...more,
      })) as Broadcast,
    send: async (id) => {
      const answer = await api.post(`/v1/broadcasts/${id}/send`, undefined);
      assert.equal(answer.status, 200, answer.text);
      return answer.json;
    },
    inState: async (id, state) =>
      await waitFor(
        async () => {
          const broadcast = await get(id);
          return broadcast.state === state && broadcast;
        },
        { timeout_ms: 30_000, what: `broadcast ${id} ${state}` },
      ),
    tell: async (email, answers, { is_update = false } = {}) => {
      await service.db.query(
        `insert into form_submissions (instance_id, form_id, status, answers, created_at, confirmed_at, is_update)
         values ($1, $2, 'confirmed', $3, now(), now(), $4)`,
        [instance.id, form_id, JSON.stringify({ EMAIL: email, ...answers }), is_update],
      );
    },
    mailsOf: async ({ custom_group_code }) =>
      await service.db.query<MailOf>(
        `select recipient, status, mail_id, msg_id, subject from mails
         where instance_id = $1 and custom_group_code = $2 order by recipient`,
        [instance.id, custom_group_code],
      ),
  };
}

async function insertForm({ db }: TestService, instanceId: number): Promise<number> {
  const [form] = await db.query<{ id: number }>(
    `insert into forms (instance_id, name, kind, type, public_token)
     values ($1, 'News', 'advanced', 'registration', $2) returning id`,
    [instanceId, crypto.randomUUID().replaceAll('-', '').padEnd(43, 'a').slice(0, 43)],
  );
  return form?.id ?? 0;
}
