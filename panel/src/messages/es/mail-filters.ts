import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/mail-filters.ts';

export const messages: Translation<typeof english> = {
  domain: 'Dominio',
  sandbox: 'Sandbox',
  sandboxes: { true: 'solo sandbox', false: 'excluido' },
  sender: 'Remitente',
  category: 'Categoría',
  group: 'Grupo',
  tag: 'Etiqueta',
  tag_hint: 'Etiqueta, como nombre:valor',
  test: 'Modo de prueba',
  tests: { true: 'Solo pruebas', false: 'Sin pruebas' },
};
