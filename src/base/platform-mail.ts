/** A mail that the platform itself writes. */
export interface PlatformMail {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Resolves once the recipient's server has it; throws when it does not take it. */
export type SendPlatformMail = (mail: PlatformMail) => Promise<void>;
