import type { CauseCode } from '../causes.ts';
import type { Words } from './words.ts';

const checkAddress = 'Revisa si la dirección está mal escrita y compruébala con la persona por otro medio.';
const removeAddress = 'Quítala de tus listas.';
const again = 'No hay nada que hacer: se intenta de nuevo.';
const tellTheirAdministrators =
  'Si persiste, que el destinatario consulte a los administradores de su correo, con la respuesta de abajo.';

/** Lo que dicen los servidores de la dirección, del mensaje y de su remitente. */
export const repliesEs = {
  no_such_user: {
    title: 'la dirección no existe',
    text: ({ host, recipient }) => `${host} dice que no existe la casilla ${recipient}.`,
    advice: [checkAddress, removeAddress],
  },
  recipient_refused: {
    title: 'el servidor del destinatario rechazó la dirección sin decir por qué',
    text: ({ host, recipient }) =>
      `${host} rechazó ${recipient} con palabras que no dicen la causa. Una respuesta así cuenta como la de una dirección que no existe.`,
    advice: [checkAddress, 'Si es correcta, levanta la restricción y envía el correo de nuevo.'],
  },
  address_unconfirmed: {
    title: 'el servidor del destinatario no pudo comprobar la dirección',
    text: ({ host, recipient }) => `${host} no pudo averiguar por ahora si ${recipient} existe.`,
    advice: [checkAddress],
  },
  mailbox_disabled: {
    title: 'la casilla está desactivada',
    text: ({ host, recipient }) =>
      `${host} conoce a ${recipient}, pero la casilla está cerrada o suspendida.`,
    advice: ['Pide otra dirección a la persona.', removeAddress],
  },
  mailbox_locked: {
    title: 'la casilla está bloqueada por ahora',
    text: ({ host, recipient }) => `${host} no acepta correo para ${recipient} en este momento.`,
    advice: [again],
  },
  mailbox_moved: {
    title: 'la casilla se trasladó o tiene otro dueño',
    text: ({ host, recipient }) => `${host} dice que ${recipient} ya no es de esta persona.`,
    advice: ['Pide la dirección nueva a la persona.', removeAddress],
  },
  mailbox_full: {
    title: 'la casilla está llena',
    text: ({ recipient }) => `La casilla de ${recipient} no tiene espacio para más correo.`,
    advice: ['Avisa a la persona por otro medio que haga espacio.'],
  },
  mailbox_busy: {
    title: 'la casilla recibe demasiado correo en este momento',
    text: ({ recipient }) =>
      `${recipient} está recibiendo, entre todos los remitentes, más correo del que su proveedor permite.`,
    advice: [again, 'Envía menos correos a la vez a este destinatario.'],
  },
  bad_address: {
    title: 'la dirección no es válida',
    text: ({ host, recipient }) => `${host} no reconoce ${recipient} como una dirección.`,
    advice: [checkAddress, removeAddress],
  },
  bad_domain: {
    title: 'lo que sigue a la @ no es un dominio que reciba correo',
    text: ({ destination }) => `${destination} no puede ser un dominio de correo.`,
    advice: [checkAddress, removeAddress],
  },
  domain_not_found: {
    title: 'el dominio no existe',
    text: ({ destination }) => `No hay ningún dominio ${destination} en el DNS.`,
    advice: [checkAddress, removeAddress],
  },
  no_mail_host: {
    title: 'el dominio no tiene servidor de correo',
    text: ({ destination }) =>
      `${destination} existe, pero el DNS no nombra ningún servidor que reciba su correo.`,
    advice: [checkAddress, removeAddress],
  },
  rejects_mail: {
    title: 'el dominio no recibe correo',
    text: ({ destination }) => `${destination} declara que no recibe ningún correo.`,
    advice: [checkAddress, removeAddress],
  },
  recipient_is_choosy: {
    title: 'el destinatario acepta correo solo de algunos remitentes',
    text: ({ recipient }) =>
      `${recipient} es un grupo, una lista o una casilla que acepta correo solo de remitentes que conoce.`,
    advice: ({ sender }) => [`Pide al dueño de la dirección que permita a ${sender}.`],
  },
  message_too_big: {
    title: 'el mensaje es demasiado grande para el servidor del destinatario',
    text: ({ host }) => `${host} no acepta mensajes de este tamaño.`,
    advice: ['Envía enlaces en vez de adjuntos, o imágenes más pequeñas.'],
  },
  bad_content: {
    title: 'el servidor del destinatario rechaza su contenido',
    text: ({ host }) =>
      `${host} encontró en el mensaje algo que no deja entrar, como un tipo de archivo o un virus.`,
    advice: [
      'Revisa los adjuntos con un antivirus y no envíes programas ni macros.',
      'Envía los archivos como enlaces.',
    ],
  },
  spam: {
    title: 'el servidor del destinatario lo considera spam',
    text: ({ host }) =>
      `${host} rechaza el mensaje por su contenido, o por cómo fueron recibidos correos anteriores.`,
    advice: [
      'Revisa el asunto, los enlaces y la redacción: los enlaces acortados y muchas imágenes parecen spam.',
      'Escribe solo a quien lo espera y quita a quienes nunca abren.',
    ],
  },
  not_authenticated: {
    title: 'el servidor del destinatario no acepta que venga de tu dominio',
    text: ({ host, domain }) => `${host} comprobó SPF, DKIM y DMARC de ${domain} y no quedó conforme.`,
    advice: ({ domain, records }) =>
      records.length > 0
        ? [...records, `Después valida ${domain} de nuevo.`]
        : [
            `Los registros de ${domain} estaban en orden en la última validación: valídalo de nuevo, porque pueden haber cambiado.`,
            'Si tu política DMARC es estricta, comprueba que nada reescriba la dirección From.',
          ],
  },
  domain_reputation: {
    title: 'tu dominio tiene mala reputación ahí',
    text: ({ host, domain }) => `${host} rechaza el correo de ${domain} por su reputación.`,
    advice: [
      'Deja de enviar a quienes no abren y revisa tus denuncias y rebotes.',
      'Envía poco y con regularidad a quienes lo leen, hasta que mejore.',
    ],
  },
  sender_rejected: {
    title: 'el servidor del destinatario rechaza al remitente',
    text: ({ host, sender }) => `${host} no acepta correo de ${sender}, o no pudo comprobar su dominio.`,
    advice: ({ domain, sender, records }) => [
      ...records,
      `Comprueba que ${domain} exista en el DNS con su registro MX.`,
      `Pide al destinatario que permita a ${sender}.`,
    ],
  },
  blocklisted: {
    title: 'la dirección de envío está en una lista de bloqueo',
    text: ({ host }) => `${host} rechaza todo lo que viene de la dirección desde la que envía la plataforma.`,
    advice: [
      'Pide al operador que haga sacar la dirección de la lista, o que envíe desde otra.',
      'Revisa si la causa fueron rebotes o denuncias de tu propio correo.',
    ],
  },
  reverse_dns_missing: {
    title: 'la dirección de envío no tiene un nombre que coincida en el DNS',
    text: ({ host }) =>
      `${host} exige que la dirección desde la que envía la plataforma tenga un registro PTR que conduzca de vuelta a ella.`,
    advice: ['Pide al operador que publique el registro PTR y el nombre al que apunta.'],
  },
  greeting_rejected: {
    title: 'el servidor del destinatario rechaza el nombre EHLO de la plataforma',
    text: ({ host }) => `${host} exige en EHLO un nombre de host completo que exista en el DNS.`,
    advice: [
      'Pide al operador que ponga en `CHASQUI_PLATFORM_DOMAIN`, o en la dirección de origen, un nombre que exista.',
    ],
  },
  protocol_error: {
    title: 'el servidor del destinatario no entendió la entrega',
    text: ({ host }) => `${host} rechazó un comando del protocolo.`,
    advice: ['Entrega la respuesta de abajo al operador.'],
  },
  rate_limited: {
    title: 'su destino limita cuánto envías',
    text: ({ destination, taken_last_hour }) =>
      `${destination} acepta en este momento menos correos de los que se le envían. En la última hora aceptó ${taken_last_hour} de los tuyos; la plataforma baja el ritmo por sí sola.`,
    advice: ({ next, destination }) => [
      ...(next === null ? [] : [`No hay nada que hacer con este correo: el próximo intento es el ${next}.`]),
      `Reparte los envíos a ${destination} en más tiempo y envía primero a quienes leen.`,
    ],
  },
  greylisted: {
    title: 'el servidor del destinatario pide a los remitentes desconocidos que lo intenten más tarde',
    text: ({ host }) =>
      `${host} usa listas grises: rechaza el primer intento de un remitente nuevo y acepta uno posterior.`,
    advice: ({ next }) => [
      next === null ? 'No hay nada que hacer.' : `No hay nada que hacer; el próximo intento es el ${next}.`,
    ],
  },
  policy: {
    title: 'una regla del servidor del destinatario lo prohíbe',
    text: ({ host }) => `${host} rechaza el correo por una política propia y no dice más.`,
    advice: ({ sender }) => [
      `Que el destinatario pida a los administradores de su correo que permitan a ${sender}, con la respuesta de abajo.`,
      'Comprueba que los registros DNS del dominio estén verificados y que el contenido sea el que espera el destinatario.',
    ],
  },
  tls_required: {
    title: 'el servidor del destinatario exige una conexión cifrada',
    text: ({ host }) =>
      `${host} acepta correo solo por TLS, y TLS con él falló poco antes. Se intenta de nuevo con TLS dentro de una hora.`,
    advice: ['Al principio no hay nada que hacer.', tellTheirAdministrators],
  },
  rejected: {
    title: 'el servidor del destinatario lo rechazó sin decir por qué',
    text: ({ host }) => `${host} rechazó el correo con palabras que no dicen la causa.`,
    advice: [
      tellTheirAdministrators,
      'Prueba con otro contenido: un segundo correo muestra si es el mensaje o la dirección.',
    ],
  },
  temporary_failure: {
    title: 'el servidor del destinatario lo rechazó por ahora',
    text: ({ host }) => `${host} pidió volver más tarde, sin decir por qué.`,
    advice: [again, tellTheirAdministrators],
  },
  system: {
    title: 'el servidor del destinatario tiene problemas',
    text: ({ host }) => `${host} informa problemas propios, como un disco lleno o demasiada carga.`,
    advice: [again, tellTheirAdministrators],
  },
  routing: {
    title: 'el servidor del destinatario no sabe qué hacer con este dominio',
    text: ({ host, destination }) =>
      `El DNS lleva el correo de ${destination} a ${host}, que no lo acepta o no puede pasarlo.`,
    advice: ({ destination }) => [
      checkAddress,
      `Que el destinatario avise a sus administradores que los registros MX de ${destination} y el servidor no concuerdan.`,
    ],
  },
  mail_loop: {
    title: 'el servidor del destinatario informa un bucle de correo',
    text: ({ host }) =>
      `${host} vio pasar el correo por demasiados servidores: el reenvío ahí conduce de vuelta a sí mismo.`,
    advice: [tellTheirAdministrators],
  },
  eight_bit_unsupported: {
    title: 'el servidor del destinatario no acepta mensajes de 8 bits',
    text: ({ host }) => `${host} acepta solo mensajes con caracteres de 7 bits, y este tiene otros.`,
    advice: ['Envíalo por HTTP, donde se codifica para esos servidores, o codifica el mensaje que entregas.'],
  },
  smtputf8_unsupported: {
    title: 'el servidor del destinatario no acepta direcciones internacionales',
    text: ({ host, recipient }) => `${recipient} o un encabezado necesita SMTPUTF8, que ${host} no ofrece.`,
    advice: ['Pide a la persona una dirección con letras simples.'],
  },
} satisfies Partial<Record<CauseCode, Words>>;
