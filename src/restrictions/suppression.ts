/** Contract §8: how somebody unsubscribed. */
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

/** Contract §8: why an address must not be written to. */
export const restriction_reasons = ['hard_bounce', 'complaint', 'manual'] as const;

/** Longest texts that are kept; what is longer is cut. */
export const max_reason_characters = 500;
export const max_comment_characters = 2_000;
export const most_detail_characters = 500;
