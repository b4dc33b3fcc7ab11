import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/consent-term.ts';

export const messages: Translation<typeof english> = {
  title: 'Término',
  missing: 'No existe ese término',
  missing_help: 'Puede ser de otra instancia, o la dirección está mal escrita.',
  about: 'Acerca de',
  id: 'Identificador, para la API',
  copy_id: 'Copiar identificador',
  type: 'Naturaleza legal',
  purposes: 'Finalidades',
  channels: 'Canales',
  created: 'Creado',
  changed: 'Modificado',
  edit: 'Editar',
  edit_term: 'Editar término',
  name: 'Nombre',
  purposes_fixed: 'Sus finalidades son parte de lo aceptado y quedan como están.',
  channels_help: 'Rige para los consentimientos nuevos. Cada uno registrado nombra sus propios canales.',
  saved: 'El término está guardado.',
  activate: 'Activar',
  activated: 'El término vuelve a recibir consentimientos.',
  deactivate: 'Desactivar',
  deactivated: 'El término no recibe consentimientos nuevos.',
  deactivate_about: 'Nadie podrá aceptarlo. Se puede volver a activar.',
  inactive_notice: 'Este término está inactivo',
  inactive_about: 'No recibe consentimientos nuevos. Los registrados rigen y se pueden retirar.',
  depends: 'Qué depende de él',
  forms: 'Formularios que lo preguntan',
  senders: 'Remitentes que necesitan sus finalidades',
  waiting: 'Esperan confirmación',
  events: 'Eventos registrados',
  over: (count) => `más de ${count}`,
  closing: (count) => `${count} se cerrarían`,
  stranded: (count) => `${count} sin otro término`,
  say_forms: (count, text, closing) =>
    count === 1
      ? `1 formulario lo pregunta. Formularios que lo exigen y se cierran: ${closing}.`
      : `${text} formularios lo preguntan. Formularios que lo exigen y se cierran: ${closing}.`,
  say_senders: (count, text, stranded) =>
    count === 1
      ? `1 remitente escribe solo a quienes aceptaron sus finalidades. Remitentes que quedan sin término que aceptar: ${stranded}.`
      : `${text} remitentes escriben solo a quienes aceptaron sus finalidades. Remitentes que quedan sin término que aceptar: ${stranded}.`,
  say_waiting: (count, text) =>
    count === 1
      ? '1 consentimiento espera su confirmación y aún se puede confirmar.'
      : `${text} consentimientos esperan su confirmación y aún se pueden confirmar.`,
  say_events: (count, text) =>
    count === 1 ? '1 evento registrado sigue rigiendo.' : `${text} eventos registrados siguen rigiendo.`,
  versions: 'Versiones',
  version: 'Versión',
  version_of: (label) => `Versión ${label}`,
  state: 'Estado',
  published: 'Publicada',
  draft: 'Borrador',
  current: 'Vigente',
  add_version: 'Nueva versión',
  edit_version: 'Editar borrador',
  label: 'Etiqueta',
  label_help: 'Por ejemplo 1.0 o 2026-11. Única dentro del término.',
  text: 'Texto',
  text_help: 'Lo que las personas leen y aceptan. Una vez publicado nunca cambia.',
  document_url: 'Dirección del documento completo',
  document_help: 'Opcional: dónde se lee completo, por ejemplo un PDF.',
  create_draft: 'Guardar borrador',
  draft_saved: 'El borrador está guardado.',
  no_versions: 'Aún no hay texto',
  no_versions_about:
    'Escribe lo que las personas leerán. Es un borrador hasta que un administrador lo publica; después márcalo como vigente, para que los consentimientos nuevos vayan a él.',
  compare: 'Comparar con',
  no_compare: 'Ver solo el texto',
  publish: 'Publicar',
  publish_title: (label) => `Publicar la versión ${label}`,
  publish_about:
    'Desde entonces sus palabras son definitivas: nadie puede cambiarlas ni eliminarlas. No queda vigente por eso; los consentimientos nuevos van a ella cuando la marques como vigente.',
  was_published: 'La versión está publicada.',
  make_current: 'Marcar vigente',
  current_title: (label) => `Marcar vigente la versión ${label}`,
  current_about: (forms) =>
    `Los consentimientos nuevos van a este texto desde ahora. Formularios activos que lo muestran: ${forms}.`,
  current_keeps: (events) => `Los eventos registrados conservan la versión que aceptaron: ${events}.`,
  was_made_current: 'La versión está vigente.',
  delete: 'Eliminar borrador',
  delete_about: (label) => `Se elimina el borrador ${label}. Nadie lo ha aceptado.`,
  was_deleted: 'El borrador está eliminado.',
};
