import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/templates.ts';

export const messages: Translation<typeof english> = {
  title: 'Plantillas',
  about: 'Correo que se escribe una vez y se envía muchas por su id, con variables para cada destinatario.',
  add: 'Nueva plantilla',
  name: 'Nombre',
  name_help: 'Para encontrarla. Los destinatarios no lo ven.',
  preview: 'Vista previa',
  picture: (name) => `Imagen de ${name}`,
  state: 'Estado',
  states: { published: 'Publicada', draft: 'Borrador' },
  updated: 'Último cambio',
  id: 'Id',
  no_subject: 'Sin asunto',
  written_in: 'Escrita en',
  editors: { html: 'HTML', mjml: 'MJML' },
  editor_help: {
    html: 'Escribes el HTML que se envía.',
    mjml: 'Secciones, columnas y botones se convierten en HTML que se ve bien en cada programa de correo.',
  },
  start: 'Comenzar con',
  starts: { example: 'Un ejemplo: confirmación de pedido', blank: 'Nada' },
  create: 'Crear',
  empty: 'Aún no hay plantillas',
  empty_about:
    'Escribe un correo aquí, publícalo y envíalo desde tu código por su id. Para cambiar el texto no hace falta desplegar nada.',
  example: {
    subject: 'Tu pedido',
    title: 'Gracias por tu pedido',
    greeting: 'Hola',
    friend: 'qué tal',
    about: 'Estamos preparando tu pedido',
    button: 'Seguir tu pedido',
    browser: 'Leer en el navegador',
    leave: 'Darse de baja',
  },
};
