import { counted } from './counting.ts';
export const messages = {
  same: 'Both texts are the same.',
  changed: (count: number) => `${counted(count, 'paragraph differs', 'paragraphs differ')}.`,
};
