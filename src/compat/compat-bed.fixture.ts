import { createApiKey } from '../credentials/api-keys.ts';
import { type Account, openAccount, setInstance } from '../accept/account.fixture.ts';
import type { TestService } from '../../test/support/test-service.ts';

export { setInstance };

/** Another key of the account. */
export async function keyWith(
  { service, instance }: Account,
  more: { scopes: string[]; sandbox_only?: boolean },
): Promise<string> {
  const key = { name: 'switching', ip_allowlist: [], ...more };
  const { api_key } = await createApiKey(service.db, instance.id, { key, actor: { kind: 'operator' } });
  return api_key;
}

/** As `openAccount`, with the address of its sandbox sender. */
export async function openSwitching(service: TestService): Promise<Account & { from: string }> {
  const account = await openAccount(service, { settings: { attachment_limit_bytes: 1_048_576 } });
  return { ...account, from: `test@${account.instance.slug}.sandbox.test` };
}

export interface StoredMessage {
  envelope: {
    from: { address: string; name?: string };
    to: { address: string; name?: string }[];
    cc: { address: string }[];
    reply_to?: unknown;
    subject: string;
    headers: [string, string][];
    untracked?: string[];
  };
  html: string | null;
  text: string | null;
}

export async function storedMessage({ db }: TestService, msgId: string): Promise<StoredMessage> {
  const [row] = await db.query<StoredMessage & Record<string, unknown>>(
    `select envelope, convert_from(html, 'UTF8') as html, convert_from(text, 'UTF8') as text
     from messages where msg_id = $1`,
    [msgId],
  );
  if (!row) throw new Error(`there is no message ${msgId}`);
  return row;
}

export async function storedAttachments({ db }: TestService, msgId: string) {
  return await db.query<{
    type: string;
    filename: string;
    text: string;
    content_id: string | null;
    disposition: string | null;
  }>(
    `select type, filename, convert_from(content, 'UTF8') as text, content_id, disposition
     from message_attachments where msg_id = $1 order by position`,
    [msgId],
  );
}

interface Marks {
  category: string | null;
  tags: Record<string, string> | null;
  custom_msg_id: string | null;
  custom_group_code: string | null;
  schedule_at: Date | null;
  subject: string;
}

export async function storedMarks({ db }: TestService, msgId: string): Promise<Marks> {
  const [row] = await db.query<Marks & Record<string, unknown>>(
    `select (select slug from categories where id = category_id) as category, tags, custom_msg_id, custom_group_code,
       schedule_at, subject from mails where msg_id = $1 order by mail_id limit 1`,
    [msgId],
  );
  if (!row) throw new Error(`there is no mail of ${msgId}`);
  return row;
}
