import assert from 'node:assert/strict';
import type { TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { FormAccount } from './form-account.fixture.ts';

interface MadeForm {
  id: number;
  url: string;
}

/** People who fill in forms of an instance, from a network of their own each, and change what they told by mailed links. */
export interface FormVisitors {
  makeForm: (items: object[], more?: object) => Promise<MadeForm>;
  /** Fills in a form, and follows its confirmation. */
  tell: (form: MadeForm, fields: Record<string, string>) => Promise<void>;
  /** Asks for a link. */
  ask: (form: MadeForm, email: string) => Promise<Response>;
  /** Links in mails to an address, oldest first. */
  linksTo: (email: string) => Promise<string[]>;
  /** Asks for a link, and waits for it. */
  link: (form: MadeForm, email: string) => Promise<string>;
  post: (url: string, fields: Record<string, string> | [string, string][]) => Promise<Response>;
}

let networks = 0;
const elsewhere = () => ({
  'x-forwarded-for': `203.0.${(networks += 1) % 250}.${Math.trunc(networks / 250) + 1}`,
});

export function visitorsOf(
  service: TestService,
  account: FormAccount,
  confirmationOf: (submissionId: number) => string,
): FormVisitors {
  const post = async (url: string, fields: Record<string, string> | [string, string][]) =>
    await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
      headers: elsewhere(),
    });
  const linksTo = async (email: string): Promise<string[]> => {
    const rows = await service.db.query<{ text: string }>(
      `select convert_from(g.text, 'UTF8') as text from mails m join messages g on g.msg_id = m.msg_id
       where m.instance_id = $1 and m.recipient = $2 order by m.mail_id`,
      [account.instance.id, email],
    );
    return rows.flatMap(({ text }) => /http\S+\/update\/[\w-]{32}/.exec(text)?.[0] ?? []);
  };
  const ask = async (form: MadeForm, email: string) => await post(form.url, { EMAIL: email });
  return {
    post,
    linksTo,
    ask,
    async makeForm(items, more = {}) {
      const form = { name: 'Details', kind: 'advanced', type: 'registration', items, ...more };
      const created = await account.panel.post('/v1/private/forms', {
        auto_reply_sender_id: account.sender_id,
        ...form,
      });
      assert.equal(created.status, 201, created.text);
      return { id: created.json.id, url: `${service.base_url}/f/${created.json.public_token}` };
    },
    async tell(form, fields) {
      const sent = await post(form.url, fields);
      assert.equal(sent.status, 303, await sent.text());
      if (!sent.headers.get('location')?.endsWith('check-mail')) return;
      const { data } = (await account.panel.get(`/v1/private/forms/${form.id}/submissions`)).json;
      await post(`${service.base_url}/confirm/${confirmationOf(data[0].id)}`, {});
    },
    async link(form, email) {
      const beforeIt = (await linksTo(email)).length;
      assert.equal((await ask(form, email)).status, 303);
      return await waitFor(async () => (await linksTo(email))[beforeIt]);
    },
  };
}
