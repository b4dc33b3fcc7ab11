export { attachment, type AttachmentOptions } from './attachment.ts';
export {
  createClient,
  type BatchOptions,
  type CallOptions,
  type Client,
  type ClientOptions,
  type ExportedFile,
} from './client.ts';
export type * from './operations.ts';
export type { Problem as ProblemDocument } from './operations.ts';
export { ConnectionError, isProblem, Problem, type Violation } from './problem.ts';
export { verifyWebhook, WebhookVerificationError, type VerifyOptions } from './webhook.ts';
