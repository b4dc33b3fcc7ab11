export type { Acceptance } from './accept-mail.ts';
export type { Draft } from './draft.ts';
