import { counted } from '../counted.ts';
import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/text-compare.ts';

export const messages: Translation<typeof english> = {
  same: 'Los dos textos son iguales.',
  one_changed: 'Un párrafo difiere.',
  changed: (count) => `${counted(count, 'párrafo difiere', 'párrafos difieren')}.`,
};
