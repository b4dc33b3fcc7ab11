import { dictionary } from '../../shell/languages.ts';

export const words = dictionary({
  en: {
    title: 'Webhooks',
    about: 'Endpoints of yours that are told what becomes of mail, as it happens.',
    add: 'Add webhook',
    create: 'Create',
    edit: 'Edit webhook',
    name: 'Name',
    name_help: 'What you call it.',
    url: 'URL',
    url_help: 'https, at a public address. Redirects are not followed.',
    events: 'Events',
    all: 'All',
    all_events: 'All events, those to come included',
    state: 'State',
    states: {
      auto_paused: 'Paused: failing',
      paused: 'Paused',
      failing: 'Failing',
      healthy: 'Healthy',
      unused: 'Not used yet',
    },
    last_success: 'Last delivered',
    saved: 'The webhook is saved.',
    secret: 'Signing secret',
    secret_about:
      'Verify each delivery with it, over the body as it arrived. Libraries of Standard Webhooks do that in most languages.',
    empty: 'No webhooks yet',
    empty_about:
      'A webhook posts each event of a mail to your application: delivered, bounced, opened, clicked, complained. Deliveries are signed, retried for three days, and can be replayed.',
  },
  es: {
    title: 'Webhooks',
    about: 'Puntos de su aplicación que reciben lo que ocurre con el correo, cuando ocurre.',
    add: 'Agregar webhook',
    create: 'Crear',
    edit: 'Editar webhook',
    name: 'Nombre',
    name_help: 'Cómo lo llama usted.',
    url: 'URL',
    url_help: 'https, en una dirección pública. No se siguen redirecciones.',
    events: 'Eventos',
    all: 'Todos',
    all_events: 'Todos los eventos, también los futuros',
    state: 'Estado',
    states: {
      auto_paused: 'En pausa: falla',
      paused: 'En pausa',
      failing: 'Fallando',
      healthy: 'Sano',
      unused: 'Aún sin uso',
    },
    last_success: 'Última entrega',
    saved: 'El webhook se guardó.',
    secret: 'Secreto de firma',
    secret_about:
      'Verifique con él cada entrega, sobre el cuerpo tal como llegó. Las bibliotecas de Standard Webhooks lo hacen en casi todos los lenguajes.',
    empty: 'Aún no hay webhooks',
    empty_about:
      'Un webhook envía a su aplicación cada evento de un correo: entregado, rebotado, abierto, clic, queja. Las entregas van firmadas, se reintentan durante tres días y se pueden repetir.',
  },
});
