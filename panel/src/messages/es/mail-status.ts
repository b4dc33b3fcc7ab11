import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/mail-status.ts';

export const messages: Translation<typeof english> = {
  '1': 'Recibido',
  '2': 'En cola',
  '3': 'Entregado',
  '4': 'Descartado',
  '5': 'Diferido',
  '6': 'Rebotado',
  '7': 'Retenido',
  scheduled: 'Programado',
};
