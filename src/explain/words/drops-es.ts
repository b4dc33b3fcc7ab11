import type { CauseCode } from '../causes.ts';
import type { ShownConsent, Words } from './words.ts';

/** Correo que no debe enviarse y correo que no se pudo construir. */
export const dropsEs = {
  cancelled: {
    title: 'se canceló',
    text: 'Un usuario o programa de tu instancia canceló el mensaje antes de que el correo se enviara.',
    advice: ['Si al final lo quieres, envíalo otra vez como un mensaje nuevo.'],
  },
  attachments_over_limit: {
    title: 'sus adjuntos son demasiado grandes',
    text: ({ attachment_limit }) =>
      `Juntos, los adjuntos superan lo que tu instancia puede enviar (${attachment_limit}).`,
    advice: [
      'Deja los archivos en otro lugar y envía enlaces.',
      'O pide al operador un `attachment_limit_bytes` mayor y envía el correo de nuevo.',
    ],
  },
  consent_missing: {
    title: 'el destinatario no ha consentido',
    text: ({ sender, recipient, consent }) =>
      `${sender} puede escribir solo a quienes consintieron en «${consent?.purpose ?? ''}», y no había ningún consentimiento de ${recipient} registrado.`,
    advice: ({ recipient, consent }) =>
      givenSince(consent) ?? [
        `Pide el consentimiento a ${recipient} con un formulario, o registra el que tengas con POST /v1/consent-events.`,
        'Si el correo no es publicidad, como un comprobante, envíalo desde un remitente que no exija consentimiento.',
      ],
  },
  consent_revoked: {
    title: 'el destinatario retiró su consentimiento',
    text: ({ recipient, consent }) => {
      if (consent?.verdict !== 'deny')
        return `${recipient} había retirado su consentimiento cuando el correo iba a enviarse.`;
      return `${recipient} retiró su consentimiento para «${consent.purpose}» el ${consent.at} bajo el término «${consent.term}».`;
    },
    advice: ({ consent }) =>
      givenSince(consent) ?? [
        'No le escribas con esta finalidad: se necesita un nuevo consentimiento, dado por la propia persona.',
      ],
  },
  recipient_blocked: {
    title: 'el destinatario está bloqueado a solicitud suya',
    text: ({ recipient, blocked_since }) =>
      blocked_since === null
        ? `${recipient} estaba bloqueado a solicitud de la persona. Desde entonces se levantó el bloqueo.`
        : `${recipient} está bloqueado a solicitud de la persona desde el ${blocked_since}: no se le envía nada.`,
    advice: ({ blocked_since }) => [
      blocked_since === null
        ? 'Envía el correo de nuevo: ya nada lo impide.'
        : 'No le escribas. Un administrador levanta el bloqueo en la página de la solicitud cuando termina.',
    ],
  },
  recipient_erased: {
    title: 'los datos del destinatario se suprimieron a solicitud suya',
    text: 'La persona pidió la supresión de sus datos. Su dirección se reconoce solo por un hash con clave. Solo se le envía lo que acepte si vuelve por un formulario con doble confirmación.',
    advice: ['Quítala de tus propias listas: este servicio no puede decir quién era.'],
  },
  recipient_restricted: {
    title: 'la dirección está restringida',
    text: ({ recipient, restriction }) =>
      restriction === null
        ? `${recipient} estaba en la lista de direcciones restringidas. Ya no lo está.`
        : `${recipient} está restringida desde el ${restriction.at} (${restrictions[restriction.reason]}).`,
    advice: ({ restriction }) => {
      if (restriction === null) return ['Envía el correo de nuevo: ya nada lo impide.'];
      if (restriction.reason === 'complaint') return ['No vuelvas a escribirle: presentó una denuncia.'];
      return [
        'Comprueba la dirección con la persona por otro medio.',
        'Si funciona, levanta la restricción en el panel o con `chasqui restriction remove` y envía el correo de nuevo.',
      ];
    },
  },
  recipient_unsubscribed: {
    title: 'el destinatario se dio de baja',
    text: ({ recipient, unsubscribed_at }) =>
      unsubscribed_at === null
        ? `${recipient} se había dado de baja de los envíos masivos. Desde entonces volvió a suscribirse.`
        : `${recipient} se dio de baja de los envíos masivos el ${unsubscribed_at}.`,
    advice: ({ unsubscribed_at }) => [
      unsubscribed_at === null
        ? 'Envía el correo de nuevo: ya nada lo impide.'
        : 'Déjalo fuera de los envíos masivos; solo esa persona puede volver a suscribirse.',
      'El correo que necesita, como los comprobantes, corresponde a un remitente transaccional.',
    ],
  },
  domain_not_verified: {
    title: 'el dominio del remitente no está verificado',
    text: ({ domain, is_revoked, records }) => {
      if (is_revoked) return `${domain} fue revocado. Su correo espera, cinco días como máximo.`;
      if (records.length === 0)
        return `${domain} no estaba verificado cuando llegó el turno del correo. Ahora lo está.`;
      return `${domain} perdió su verificación: faltan registros DNS o están mal. Su correo espera, cinco días como máximo.`;
    },
    advice: ({ domain, is_revoked, records }) => {
      if (is_revoked)
        return [`Pregunta al operador por qué se revocó ${domain}: solo él puede restablecerlo.`];
      if (records.length === 0)
        return ['No hay nada que hacer mientras espera; si ya terminó, envíalo de nuevo.'];
      return [...records, `Después valida ${domain} en el panel o con POST /v1/domains/{id}/validate.`];
    },
  },
  instance_disabled: {
    title: 'tu instancia está deshabilitada',
    text: 'El correo de una instancia deshabilitada espera, cinco días como máximo.',
    advice: ['Pide al operador que la habilite.'],
  },
  template_failed: {
    title: 'su plantilla no se pudo generar para este destinatario',
    text: 'La plantilla falló o tardó demasiado con los valores de este destinatario.',
    advice: [
      'Corrige la plantilla, pruébala con estos valores en la vista previa y envía el correo de nuevo.',
    ],
  },
  message_expired: {
    title: 'su mensaje ya no existe',
    text: 'El correo volvió a la cola cuando su contenido ya se había eliminado al final de la retención.',
    advice: ['Envíalo de nuevo si todavía hace falta.'],
  },
  delivery_crashed: {
    title: 'el proceso de entrega se cayó al construirlo',
    text: 'Tres procesos terminaron mientras construían este correo, por lo que no se intenta más.',
    advice: [
      'Entrega el id del correo al operador: el registro del servicio contiene la causa.',
      'Envíalo con un contenido más simple.',
    ],
  },
  internal_error: {
    title: 'la plataforma no pudo construirlo o firmarlo',
    text: 'Algo falló en la plataforma antes de consultar a ningún servidor, como una clave DKIM que no se puede leer.',
    advice: ['Entrega el id del correo al operador: el registro del servicio contiene la causa.'],
  },
} satisfies Partial<Record<CauseCode, Words>>;

const restrictions: Record<string, string> = {
  hard_bounce: 'un correo a ella rebotó en forma definitiva',
  complaint: 'su dueño presentó una denuncia',
  manual: 'un usuario de tu instancia la agregó',
};

function givenSince(consent: ShownConsent | null): string[] | undefined {
  if (consent?.verdict !== 'allow') return undefined;
  return [
    `Hay un consentimiento registrado desde el ${consent.at} («${consent.term}»): envía el correo de nuevo.`,
  ];
}
