import type { TemplateData } from './liquid.ts';
import { variablesFor, type MessageVariables, type Variables } from './variables.ts';

interface Recipient {
  email: string;
  name: string | null | undefined;
}

export interface RecipientUrls {
  unsubscribe_url: string;
  view_url: string;
}

const noUrls: RecipientUrls = { unsubscribe_url: '', view_url: '' };

/** What the placeholders of a template stand for. Those of the platform are never replaced by variables. */
export function dataFor(
  { email, name }: Recipient,
  variables: MessageVariables,
  { unsubscribe_url, view_url }: RecipientUrls = noUrls,
): TemplateData {
  const given = variablesFor(variables, email);
  return { ...given, recipient: { email, name: name ?? '' }, unsubscribe_url, view_url };
}

const sample = { email: 'ana@example.com', name: 'Ana Rojas' };
const sampleUrls = {
  unsubscribe_url: 'https://mail.example.com/u/sample',
  view_url: 'https://mail.example.com/view/sample',
};

/** Recipient with which a template is validated. */
export const sampleData = previewData({}, {});

/** Recipient of a preview. */
export function previewData(recipient: Partial<Recipient>, variables: Variables): TemplateData {
  return dataFor({ ...sample, ...recipient }, { all: variables, by_recipient: {} }, sampleUrls);
}
