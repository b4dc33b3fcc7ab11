import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/export-menu.ts';

export const messages: Translation<typeof english> = {
  export: 'Exportar',
  formats: { csv: 'Como CSV, para planillas', json: 'Como JSON' },
  exporting: (size) => `Exportando… ${size}`,
  exported: (size) => `La exportación está completa: ${size}.`,
  failed: 'La exportación se interrumpió. No se guardó nada.',
  cancel: 'Cancelar',
};
