const created_at = '2026-12-01T12:00:00.000Z';
const plain = { field_id: null, term_id: null, label: null, content: null, width: 'full' };

export const formExample = {
  id: 3,
  external_id: 'shop/newsletter',
  name: 'Newsletter',
  kind: 'consent',
  type: 'registration',
  dataset_id: null,
  public_token: 'c29tZSB0aGlydHktdHdvIGJ5dGVzIG9mIHRva2VuISE',
  is_default: true,
  is_active: true,
  requires_confirmation: true,
  auto_reply_sender_id: 5,
  settings: { title: 'Our newsletter', design: { primary_color: '#0b6b53' } },
  created_at,
  updated_at: created_at,
  items: [
    { ...plain, id: 8, kind: 'field', field_id: 1, is_required: true, sort_order: 1 },
    { ...plain, id: 9, kind: 'consent', term_id: 4, is_required: true, sort_order: 2 },
  ],
};

export const newItemsExample = [{ kind: 'text', content: 'Tell us where to write to.' }, { kind: 'divider' }];

export const newFormExample = {
  name: 'Contact us',
  kind: 'advanced',
  type: 'registration',
  settings: formExample.settings,
  items: newItemsExample,
};
