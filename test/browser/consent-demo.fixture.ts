import assert from 'node:assert/strict';
import type { ApiResponse } from '../support/api.ts';
import type { PanelUser } from '../support/panel-user.ts';
import type { Tenant, TestService } from '../support/test-service.ts';

export interface ConsentDemo {
  /** With a current version, an older one and a draft. */
  term_id: number;
  /** Of the term. */
  purpose_id: number;
  /** Who agreed by API, withdrew by phone, and agreed again on paper. */
  person: string;
}

const first = `I agree to receive the newsletter of Librería Altiplano by email.

I can withdraw at any time by the link in every mail.`;
const second = `I agree to receive the monthly newsletter of Librería Altiplano, S. A., by email.

My address is used for this newsletter alone and is given to nobody.

I can withdraw at any time by the link in every mail, or by writing to privacidad@altiplano.example.`;
const draft = second.replace('monthly newsletter', 'weekly newsletter and invitations to readings');

interface Account {
  service: TestService;
  tenant: Tenant;
  user: PanelUser;
}

/** Terms, a form, a sender that asks for consent, and people who said yes and no. */
export async function createConsentDemo(account: Account): Promise<ConsentDemo> {
  const { user, tenant } = account;
  const { data: purposes } = (await user.get('/v1/private/consent-purposes')).json;
  const purposeOf = (wanted: string): number =>
    purposes.find(({ code }: { code: string }) => code === wanted).id;
  const [newsletter, marketing] = [purposeOf('newsletter'), purposeOf('marketing')];
  await user.post('/v1/private/consent-purposes', {
    code: 'readings',
    name: 'Readings and events',
    description: 'Invitations to readings, signings and clubs.',
  });
  const term_id = await createTerm(user, { name: 'Newsletter', purpose_ids: [newsletter] });
  await addVersion(user, { term_id, version: '1.0', body: first, isCurrent: true });
  const person = 'ana.rojas@example.com';
  const say = recorderFor(tenant, { term_id, purpose_id: newsletter });
  await say(person, 'allow');
  for (const name of ['luis.soto', 'marta.vidal', 'pedro.leon', 'rosa.araya', 'ivan.bravo']) {
    await say(`${name}@example.com`, 'allow');
  }
  await addVersion(user, { term_id, version: '1.1', body: second, isCurrent: true });
  await say('pedro.leon@example.com', 'deny');
  for (const [action, reason] of [
    ['deny', 'Asked by phone on Monday to get no more newsletters'],
    ['allow', 'Signed form at the counter, folder 7, page 31'],
  ]) {
    const rule = { contact_type: 'email_address', contact: person, purpose_id: newsletter, action };
    const body = { term_id, method: 'single_opt_in', reason, rules: [rule] };
    ok(await user.post('/v1/private/consent-events', body));
  }
  await addVersion(user, { term_id, version: '1.2', body: draft });
  const offers = await createTerm(user, { name: 'Offers by WhatsApp', purpose_ids: [marketing] }, ['wsp']);
  ok(await user.patch(`/v1/private/consent-terms/${offers}`, { is_active: false }));
  ok(
    await user.post('/v1/private/senders', {
      name: 'Boletín Altiplano',
      email_address: `boletin@${tenant.instance.slug}.sandbox.test`,
      stream: 'broadcast',
      requires_consent: true,
      consent_purpose_id: newsletter,
    }),
  );
  await subscribe(account, { term_id, email: 'tomas.fuentes@sandbox.test' });
  return { term_id, purpose_id: newsletter, person };
}

export async function createTerm(user: PanelUser, term: object, channels = ['mail']): Promise<number> {
  return ok(await user.post('/v1/private/consent-terms', { ...term, type: 'subscription', channels })).json
    .id;
}

export async function addVersion(
  user: PanelUser,
  { term_id, isCurrent = false, ...version }: NewVersion,
): Promise<void> {
  const path = `/v1/private/consent-terms/${term_id}/versions`;
  const { id } = ok(await user.post(path, version)).json;
  if (!isCurrent) return;
  ok(await user.post(`${path}/${id}/publish`));
  ok(await user.post(`${path}/${id}/set-current`));
}

interface NewVersion {
  term_id: number;
  version: string;
  body: string;
  isCurrent?: boolean;
}

function recorderFor({ api }: Tenant, { term_id, purpose_id }: { term_id: number; purpose_id: number }) {
  return async (contact: string, action: 'allow' | 'deny'): Promise<void> => {
    const rule = { contact_type: 'email_address', contact, purpose_id, action };
    ok(await api.post('/v1/consent-events', { term_id, method: 'single_opt_in', rules: [rule] }));
  };
}

/** Fills in a hosted form with double opt-in, and does not confirm. */
async function subscribe(
  { service, tenant, user }: Account,
  { term_id, email }: { term_id: number; email: string },
): Promise<void> {
  const url = await createSubscriptionForm(service, { tenant, user, term_id });
  const body = new URLSearchParams({ EMAIL: email, consent: String(term_id) });
  const answer = await fetch(url, { method: 'POST', redirect: 'manual', body });
  assert.ok(answer.status < 400, String(answer.status));
}

/** A hosted form that asks for an address and a consent, and for a confirmation by mail. */
export async function createSubscriptionForm(
  service: TestService,
  { tenant, user, term_id }: { tenant: Tenant; user: PanelUser; term_id: number },
): Promise<string> {
  const { data: fields } = (await tenant.api.get('/v1/fields')).json;
  const { data: senders } = (await tenant.api.get('/v1/senders?email=test@')).json;
  const email = fields.find(({ field_key }: { field_key: string }) => field_key === 'EMAIL');
  const form = ok(
    await user.post('/v1/private/forms', {
      name: 'Newsletter',
      kind: 'advanced',
      type: 'registration',
      requires_confirmation: true,
      auto_reply_sender_id: senders[0].id,
      items: [
        { kind: 'field', field_id: email.id, is_required: true },
        { kind: 'consent', term_id, is_required: true },
      ],
    }),
  );
  return `${service.base_url}/f/${form.json.public_token}`;
}

function ok(answer: ApiResponse): ApiResponse {
  assert.ok(answer.status < 300, answer.text);
  return answer;
}
