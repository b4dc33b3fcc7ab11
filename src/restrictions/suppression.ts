/** Contract §8. */
export const unsubscribeMethods = ['one_click', 'page', 'mailto', 'reply'] as const;
export type UnsubscribeMethod = (typeof unsubscribeMethods)[number];

/** Contract §8. */
export const complaintTypes = [
  'unknown',
  'adult_content',
  'violent_or_illegal',
  'spam',
  'phishing_or_malware',
  'fraud',
  'intellectual_property',
  'other',
] as const;
export type ComplaintType = (typeof complaintTypes)[number];

/** Contract §8. */
export const restrictionReasons = ['hard_bounce', 'complaint', 'manual'] as const;

/** Longer texts are truncated. */
export const maxReasonCharacters = 500;
export const maxCommentCharacters = 2_000;
export const maxDetailCharacters = 500;
