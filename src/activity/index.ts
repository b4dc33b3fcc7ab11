export { requireMailId } from './mail-id.ts';
export { withinTime } from './within-time.ts';
