import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/sandbox.ts';

export const messages: Translation<typeof english> = {
  title: 'Bandeja sandbox',
  about: 'El correo a sandbox.test se procesa como cualquier otro y queda aquí: no sale de este servidor.',
  search: 'Destinatario o asunto',
  remove: 'Eliminar',
  removed: 'El mensaje se eliminó.',
  clear: 'Eliminar todo',
  clear_about:
    'Se eliminan todos los mensajes capturados de esta instancia. Lo que pasó con los correos queda en sus registros.',
  cleared: (count) => `Mensajes eliminados: ${count}.`,
  shown: 'Mostrar',
  read_states: { false: 'No leídos', true: 'Leídos' },
  mark_all: 'Marcar todo como leído',
  save_eml: 'Descargar .eml',
  subject: 'Asunto',
  no_subject: 'sin asunto',
  of_platform: 'escrito por Chasqui',
  captured: 'Capturado',
  live: 'En vivo',
  choose: 'Elige un mensaje',
  choose_help: 'Se muestra aquí como lo mostraría un programa de correo, con su fuente y sus encabezados.',
  to_mail: 'Qué le pasó',
  scripts: 'Destinatarios que simulan un resultado',
  scripts_about:
    'Escribe a uno de estos desde cualquiera de tus remitentes. Con una etiqueta es otro destinatario: bounce+17@sandbox.test.',
  script: {
    delivered: 'se entrega',
    bounce: 'rebota (550 5.1.1); la dirección se restringe',
    softbounce: 'casilla llena (452 4.2.2), cada vez',
    'defer-1': 'se difiere una vez y luego se entrega',
    slow: 'se entrega después de tres segundos',
    open: 'se entrega y se abre',
    click: 'se entrega, y se sigue su primer enlace',
    complaint: 'se entrega y se denuncia como spam',
    unsubscribe: 'se entrega y se da de baja',
  },
  wait: 'Esperar un mensaje en una prueba',
  wait_about: 'Pide los correos de un destinatario hasta que haya uno; su registro dice qué pasó con él.',
  empty: 'Aún no hay nada capturado',
  empty_about:
    'Envía a cualquier dirección de sandbox.test. El mensaje se guarda aquí; nada sale de este servidor.',
  size: 'Tamaño',
  from: 'De',
  to: 'Para',
  back: 'Todos los mensajes',
};
