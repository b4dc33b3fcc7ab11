import assert from 'node:assert/strict';
import type { PanelUser } from '../support/panel-user.ts';
import type { TestService } from '../support/test-service.ts';

interface Field {
  id: number;
  field_key: string;
}

/** A field and a form with double opt-in that asks for consent to the term, which some people filled in. */
export async function createFormDemo(
  service: TestService,
  user: PanelUser,
  term_id: number,
): Promise<{ form_id: number }> {
  const made = async (path: string, values: object): Promise<number> => {
    const { json, status, text } = await user.post(path, values);
    assert.equal(status, 201, text);
    return json.id;
  };
  const options = [
    { value: 'NOVEL', label: 'Novels' },
    { value: 'POETRY', label: 'Poetry' },
    { value: 'ESSAY', label: 'Essays' },
  ];
  const genres = { name: 'What you read', field_key: 'GENRES', type: 'multiselect', config: { options } };
  const genresId = await made('/v1/private/fields', genres);
  const { data } = (await user.get('/v1/private/fields?page_size=100')).json as { data: Field[] };
  const field = (key: string): number | undefined => data.find(({ field_key }) => field_key === key)?.id;
  const form = {
    name: 'Newsletter of the bookshop',
    kind: 'advanced',
    type: 'registration',
    requires_confirmation: true,
    auto_reply_sender_id: (await user.get('/v1/private/senders')).json.data.find(
      ({ email_address }: { email_address: string }) => email_address.startsWith('test@'),
    ).id,
    settings: {
      title: 'New books, once a month',
      header_text: 'What our booksellers read, and what is on at the shop.',
      footer_text: 'Librería Altiplano · Valparaíso',
      design: { primary_color: '#7a1f5c' },
      auto_reply: { subject: 'Welcome', text: 'Thank you for signing up.\n\nThe next letter comes soon.' },
    },
    items: [
      { kind: 'field', field_id: field('EMAIL'), is_required: true },
      { kind: 'field', field_id: field('FIRST_NAME'), width: 'half', is_required: true },
      { kind: 'field', field_id: field('LAST_NAME'), width: 'half' },
      { kind: 'field', field_id: genresId },
      { kind: 'divider' },
      { kind: 'consent', term_id, is_required: true },
    ],
  };
  const form_id = await made('/v1/private/forms', form);
  const { public_token } = (await user.get(`/v1/private/forms/${form_id}`)).json;
  for (const [EMAIL, FIRST_NAME, LAST_NAME, GENRES] of [
    ['delivered+ines@sandbox.test', 'Inés', 'Quispe', 'NOVEL'],
    ['delivered+bruno@sandbox.test', 'Bruno', 'Soto', 'POETRY'],
    ['delivered+clara@sandbox.test', 'Clara', '', 'ESSAY'],
  ] as const) {
    const given = new URLSearchParams({ EMAIL, FIRST_NAME, LAST_NAME, GENRES, consent: String(term_id) });
    const sent = await fetch(`${service.base_url}/f/${public_token}`, {
      method: 'POST',
      redirect: 'manual',
      body: given,
    });
    assert.ok(sent.status < 400, await sent.text());
  }
  return { form_id };
}
