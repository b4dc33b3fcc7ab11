/** A mail that the platform itself writes. */
export interface PlatformMail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Resolves once it is queued. Whoever calls has counted it (`limits/platform-mail-limits.ts`). */
export type SendPlatformMail = (mail: PlatformMail) => Promise<void>;
