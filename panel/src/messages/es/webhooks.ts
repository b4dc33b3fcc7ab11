import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/webhooks.ts';

export const messages: Translation<typeof english> = {
  title: 'Webhooks',
  about: 'Direcciones de tu aplicación que reciben lo que pasa con cada correo, en el momento.',
  add: 'Agregar webhook',
  create: 'Crear',
  edit: 'Editar webhook',
  name: 'Nombre',
  name_help: 'Para reconocerlo en la lista.',
  url: 'URL',
  headers: 'Encabezados propios',
  headers_help: 'Uno por línea, como Nombre: valor. Los valores se cifran y no se vuelven a mostrar.',
  headers_kept: (names) => `Definidos: ${names}. Lo que escribas aquí los reemplaza todos.`,
  url_help: 'https, en una dirección pública. No se siguen redirecciones.',
  events: 'Eventos',
  all: 'Todos',
  all_events: 'Todos los eventos, también los futuros',
  state: 'Estado',
  states: {
    auto_paused: 'En pausa: falla',
    paused: 'En pausa',
    failing: 'Con fallas',
    healthy: 'Operativo',
    unused: 'Aún sin uso',
  },
  last_success: 'Última entrega',
  saved: 'El webhook se guardó.',
  catalogue: 'Catálogo de eventos',
  catalogue_about:
    'Lo que contiene cada evento. Desde la página de un webhook puedes enviar un ejemplo a tu aplicación.',
  example_of: (type) => `Ejemplo de ${type}`,
  secret: 'Secreto de firma',
  secret_about:
    'Verifica con él cada entrega, sobre el cuerpo tal como llegó. Las bibliotecas de Standard Webhooks lo hacen en casi todos los lenguajes.',
  empty: 'Aún no hay webhooks',
  empty_about:
    'Un webhook envía a tu aplicación cada evento de un correo: entregado, rebotado, abierto, clic, denuncia. Las entregas van firmadas, se reintentan durante tres días y se pueden repetir.',
};
