export { reasonTitle } from './reason-title.ts';
