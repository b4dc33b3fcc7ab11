import assert from 'node:assert/strict';
import sendgridMail from '@sendgrid/mail';
import { type Account, startAccepting } from '../../accept/account.fixture.ts';
import type { TestService } from '../../../test/support/test-service.ts';
import { openSwitching } from '../compat-bed.fixture.ts';

export type Client = typeof sendgridMail;
export type MailData = Exclude<Parameters<Client['send']>[0], unknown[]>;

export interface ResponseError {
  code: number;
  response: { body: unknown };
}

export interface SendGridBed {
  service: TestService;
  account: Account & { from: string };
  sendgrid: Client;
}

export async function startSendGrid(): Promise<SendGridBed> {
  const service = await startAccepting();
  const account = await openSwitching(service);
  return { service, account, sendgrid: clientOf(service, account.api_key) };
}

/** The client has its address where its types do not show it. */
export function clientOf(service: TestService, key: string): Client {
  const { MailService } = sendgridMail as unknown as { MailService: new () => Client };
  const client = new MailService();
  client.setApiKey(key);
  const { client: http } = client as unknown as {
    client: { setDefaultRequest(name: string, value: string): void };
  };
  http.setDefaultRequest('baseUrl', service.base_url);
  return client;
}

export const mailFrom = (from: string, more: object = {}): MailData => ({
  from: { email: from, name: 'Ana Pérez' },
  to: 'delivered@sandbox.test',
  subject: 'Hello',
  html: '<p>Hi</p>',
  ...more,
});

/** The messages of a call, in the order of its personalizations. */
export async function sent(
  service: TestService,
  client: Client,
  data: MailData | MailData[],
): Promise<string[]> {
  const [response] = await client.send(data);
  assert.equal(response.statusCode, 202);
  assert.equal(response.body, '');
  const group = (response.headers as Record<string, string>)['x-message-id'] ?? '';
  assert.match(group, /^[0-9a-f-]{36}$/);
  const rows = await service.db.query<{ msg_id: string; custom_msg_id: string }>(
    'select distinct msg_id, custom_msg_id from mails where custom_group_code = $1',
    [group],
  );
  const byPlace = new Map(rows.map(({ msg_id, custom_msg_id }) => [custom_msg_id, msg_id]));
  return rows.map((_, index) => byPlace.get(`${group}.${index}`) ?? '');
}

export interface Wanted {
  status: number;
  field?: string | null;
  message: RegExp;
}

export async function refused(
  client: Client,
  data: object,
  { status, field, message }: Wanted,
): Promise<void> {
  const error = await client.send(data as MailData).then(
    () => assert.fail(`it was accepted: ${JSON.stringify(data).slice(0, 300)}`),
    (thrown: unknown) => thrown as ResponseError,
  );
  const { errors } = error.response.body as {
    errors: { message: string; field: string | null; help: unknown }[];
  };
  assert.equal(error.code, status, JSON.stringify(errors));
  const [first] = errors;
  assert.match(first?.message ?? '', message);
  assert.equal(first?.help, null);
  if (field !== undefined) assert.equal(first?.field, field);
}
