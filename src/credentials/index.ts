export { bearerOf } from './authenticate-api-key.ts';
export type { AuthenticateSmtp } from './smtp-credentials.ts';
