/** Contract §8. */
export const unsubscribe_methods = ['one_click', 'page', 'mailto'] as const;
export type UnsubscribeMethod = (typeof unsubscribe_methods)[number];

/** Contract §8. */
export const complaint_types = [
  'unknown',
  'adult_content',
  'violent_or_illegal',
  'spam',
  'phishing_or_malware',
  'fraud',
  'intellectual_property',
  'other',
] as const;
export type ComplaintType = (typeof complaint_types)[number];

/** Contract §8. */
export const restriction_reasons = ['hard_bounce', 'complaint', 'manual'] as const;

/** Longer texts are truncated. */
export const max_reason_characters = 500;
export const max_comment_characters = 2_000;
export const max_detail_characters = 500;
