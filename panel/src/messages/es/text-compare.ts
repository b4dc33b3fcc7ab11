import { counted } from './counting.ts';
import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/text-compare.ts';

export const messages: Translation<typeof english> = {
  same: 'Los dos textos son iguales.',
  changed: (count) => `${counted(count, 'párrafo difiere', 'párrafos difieren')}.`,
};
