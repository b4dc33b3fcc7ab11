const timestamp = '2026-12-01T12:00:00.000Z';

export const listedExample = {
  id: 12,
  external_id: 'shop/welcome',
  alias: 'welcome',
  name: 'Welcome',
  subject: 'Welcome, {{ recipient.name }}',
  is_published: true,
  published_at: timestamp,
  created_at: timestamp,
  updated_at: timestamp,
};

export const contentExample = {
  subject: listedExample.subject,
  editor: 'html',
  source: '<p>Hello {{ recipient.name }}, <a href="{{ view_url }}">read this in your browser</a>.</p>',
  text: 'Hello {{ recipient.name }}, read this in your browser: {{ view_url }}',
};

export const detailExample = { ...listedExample, ...contentExample, html: contentExample.source };

export const draftExample = { ...detailExample, is_published: false, published_at: null };

export const newExample = {
  name: listedExample.name,
  external_id: listedExample.external_id,
  alias: listedExample.alias,
  ...contentExample,
};
