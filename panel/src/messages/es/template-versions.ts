import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/template-versions.ts';

export const messages: Translation<typeof english> = {
  versions: 'Versiones',
  about: 'Cada vez que se guarda otro contenido se conserva una. Se conservan las 50 más nuevas.',
  version: 'Versión',
  name: (version) => `Versión ${version}`,
  current: 'Actual',
  restored: (version) => `Restaurada de la ${version}`,
  saved_by: 'Guardada por',
  subject: 'Asunto',
  size: 'Tamaño',
  actors: {
    user: 'Alguien que se fue',
    api_key: 'Una clave de API',
    operator: 'El operador',
    system: 'Una versión anterior de Chasqui',
  },
  empty: 'Aún no hay versiones',
  empty_about: 'La primera se conserva al guardar contenido por primera vez.',
  back: 'Todas las versiones',
  compare: 'Comparar',
  with: 'Con',
  same: 'Ambas dicen lo mismo.',
  members: { subject: 'Asunto', editor: 'Escrita en', source: 'Contenido', text: 'Texto plano' },
  restore: (version) => `Restaurar la versión ${version}`,
  restore_about: 'Su contenido se guarda de nuevo como otra versión; nada de lo que vino después se pierde.',
  restore_live: 'La plantilla está publicada: se envía desde el próximo envío.',
  restored_done: 'La versión se restauró.',
};
