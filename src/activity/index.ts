export { requireMailId } from './mail-id.ts';
