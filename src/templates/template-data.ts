import type { TemplateData } from './liquid.ts';

interface Recipient {
  email: string;
  name: string | null | undefined;
}

interface RecipientUrls {
  unsubscribe_url: string;
  view_url: string;
}

const no_urls: RecipientUrls = { unsubscribe_url: '', view_url: '' };

/** What the placeholders of every template stand for. */
export function dataFor({ email, name }: Recipient, urls = no_urls): TemplateData {
  const { unsubscribe_url, view_url } = urls;
  return { recipient: { email, name: name ?? '' }, unsubscribe_url, view_url };
}

const sample = { email: 'ana@example.com', name: 'Ana Rojas' };
const sampleUrls = {
  unsubscribe_url: 'https://mail.example.com/u/sample',
  view_url: 'https://mail.example.com/view/sample',
};

/** Whom a template is tried with when it is saved. */
export const sampleData = dataFor(sample, sampleUrls);

/** Whom it is shown for. */
export function previewData(recipient: Partial<Recipient>): TemplateData {
  return dataFor({ ...sample, ...recipient }, sampleUrls);
}
