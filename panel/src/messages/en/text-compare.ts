import { counted } from '../counted.ts';
export const messages = {
  same: 'Both texts are the same.',
  one_changed: 'One paragraph differs.',
  changed: (count: string) => `${counted(count, 'paragraph differs', 'paragraphs differ')}.`,
};
