export type { SandboxReactions } from './sandbox-reactions.ts';
export { capturePlatformMail } from './capture-platform-mail.ts';
export { createCapture, type SandboxMail } from './capture.ts';
export { personalData } from './personal-data.ts';
