export type { SandboxReactions } from './sandbox-reactions.ts';
export { createCapture, type SandboxMail } from './capture.ts';
