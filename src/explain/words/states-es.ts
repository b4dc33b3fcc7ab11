import type { CauseCode } from '../causes.ts';
import type { Words } from './words.ts';

/** Correo que llegó y correo que espera. */
export const statesEs = {
  delivered: {
    title: 'Entregado',
    text: ({ host, sent_at }) =>
      `${host} aceptó el correo el ${sent_at}. Lo que ocurre detrás de ese servidor, como dejarlo en la carpeta de spam, no se informa.`,
    advice: ({ tracks_opens }) => [
      'Si el destinatario no lo encuentra, pídele que mire la carpeta de spam y busque al remitente.',
      'Si no está en ninguna parte, entrega la respuesta del servidor a los administradores de su correo: con ella pueden encontrarlo.',
      ...(tracks_opens
        ? []
        : ['Este remitente no registra aperturas: que no haya ninguna no significa que no se haya leído.']),
    ],
  },
  sandbox_captured: {
    title: 'Capturado en el sandbox',
    text: ({ recipient }) =>
      `${recipient} es un destinatario del sandbox: el correo se capturó para que lo mires y nunca salió de la plataforma.`,
    advice: ['Léelo en la bandeja del sandbox o con `chasqui sandbox show`.'],
  },
  opened: {
    title: 'Entregado y abierto',
    text: ({ host, sent_at, opens }) => `${host} aceptó el correo el ${sent_at}. Aperturas: ${opens}.`,
    advice: [],
  },
  clicked: {
    title: 'Entregado y con clics en sus enlaces',
    text: ({ host, sent_at, opens, clicks }) =>
      `${host} aceptó el correo el ${sent_at}. Clics: ${clicks}. Aperturas: ${opens}.`,
    advice: [],
  },
  unsubscribed: {
    title: 'Entregado; el destinatario se dio de baja',
    text: ({ recipient }) =>
      `El correo llegó y ${recipient} lo usó para darse de baja. Desde ahora se descartan los envíos masivos a esa dirección.`,
    advice: [
      'Respétalo. Solo el destinatario puede volver a suscribirse, con el enlace de un correo que tenga.',
    ],
  },
  complained: {
    title: 'Entregado; el destinatario lo denunció',
    text: ({ recipient, complaint }) =>
      `El correo llegó y ${recipient} lo denunció (${complaint}). La dirección quedó restringida: no se le envía nada más.`,
    advice: [
      'Averigua por qué no lo quería: las denuncias bajan la reputación de tu dominio.',
      'Escribe solo a quien lo pidió y haz que darse de baja sea fácil de encontrar.',
    ],
  },
  scheduled: {
    title: 'está programado para más tarde',
    text: ({ next }) => `El correo se enviará el ${next ?? ''}. Espera esa hora.`,
    advice: [
      'No hay nada que hacer. Para enviarlo a otra hora, reprograma su mensaje en el panel o con PATCH /v1/messages/{message_id}.',
      'Si ya no lo quieres, cancélalo ahí mismo antes de que llegue su hora.',
    ],
  },
  in_queue: {
    title: 'está en la cola',
    text: 'El correo está aceptado y guardado, y su turno está por llegar. No hay ningún problema con él.',
    advice: ['Vuelve a mirar en un minuto.'],
  },
  in_delivery: {
    title: 'se está entregando ahora',
    text: ({ destination }) => `En este momento hay un intento en curso hacia ${destination}.`,
    advice: ['Vuelve a mirar en un minuto: un servidor lento puede tardar varios.'],
  },
  destination_paused: {
    title: 'su destino está en pausa',
    text: ({ destination, paused_at }) =>
      `La entrega de tu correo a ${destination} se pausó el ${paused_at}. Sigue cuando termine la pausa; los cinco días corren mientras tanto.`,
    advice: ({ destination }) => [
      `Reanuda ${destination} en la cola del panel o con \`chasqui queue resume --destination ${destination}\`.`,
    ],
  },
  paced: {
    title: 'su destino pidió menos correo a la vez',
    text: ({ destination, taken_last_hour }) =>
      `Los servidores de ${destination} pidieron ir más lento, así que el correo espera su turno. En la última hora aceptaron ${taken_last_hour} de tus correos.`,
    advice: ({ next }) => [
      next === null ? 'No hay nada que hacer.' : `No hay nada que hacer; el próximo intento es el ${next}.`,
      'Reparte los envíos grandes en más tiempo.',
    ],
  },
  warming_up: {
    title: 'la dirección de envío es nueva y ya envió bastante por hoy',
    text: ({ warm_up_cap }) =>
      warm_up_cap === null
        ? 'Una dirección de origen nueva puede enviar solo cierta cantidad de correos al día a un proveedor. Los de hoy se agotaron.'
        : `Una dirección de origen nueva puede enviar solo cierta cantidad de correos al día a un proveedor, ahora ${warm_up_cap}. Los de hoy se agotaron.`,
    advice: [
      'No hay nada que hacer: el límite se duplica cada día.',
      'Si no puede esperar, pide al operador una dirección de origen que ya no sea nueva.',
    ],
  },
  no_source_address: {
    title: 'ningún nodo tiene una dirección desde la cual enviarlo',
    text: 'Ninguna de las direcciones desde las que envía tu instancia está en un nodo en marcha, o ninguna es del tipo (IPv4 o IPv6) que necesita el destino.',
    advice: ['Pide al operador que compare `chasqui source list` con las direcciones de los nodos.'],
  },
  base_url_not_public: {
    title: 'los destinatarios no podrían abrir sus enlaces',
    text: 'La plataforma aún no tiene una dirección pública, así que los destinatarios no podrían darse de baja ni abrir los enlaces que agrega al correo. El correo espera hasta que la tenga.',
    advice: ['Pide al operador que configure `CHASQUI_BASE_URL`.'],
  },
  no_delivery_node: {
    title: 'no hay ningún proceso de entrega en marcha',
    text: 'No hay ningún proceso en marcha con el rol `delivery`. Mientras tanto el correo se acepta y se guarda.',
    advice: ['Pide al operador que inicie uno: `chasqui serve --roles delivery`.'],
  },
  platform_busy: {
    title: 'la plataforma estaba ocupada en ese momento',
    text: 'Se estaba deteniendo un nodo, o su memoria, su base de datos o sus procesos de plantillas estaban ocupados. No contó como intento.',
    advice: ['No hay nada que hacer: se retoma en segundos.'],
  },
} satisfies Partial<Record<CauseCode, Words>>;
