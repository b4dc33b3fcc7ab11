/** About no mail. Only webhooks of our own format have them. */
export const alertTypes = ['alert.raised', 'alert.resolved'] as const;
export type AlertEventType = (typeof alertTypes)[number];

/** What people do, and ask for. */
export const personTypes = [
  'form.submitted',
  'form.confirmed',
  'consent.granted',
  'consent.withdrawn',
  'rights.requested',
] as const;
export type PersonEventType = (typeof personTypes)[number];

export const noticeTypes = [...alertTypes, ...personTypes] as const;
export type NoticeType = (typeof noticeTypes)[number];
