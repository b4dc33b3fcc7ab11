import type { PageTexts } from './texts.ts';

export const spanish: PageTexts = {
  delivered_for: (instance) => `Correo entregado con Chasqui para ${instance}.`,
  try_again: 'Volver a intentarlo',
  your_data: 'Tus datos: verlos, corregirlos o borrarlos',
  optional: 'Opcional',
  unsubscribe: {
    title: 'Cancelar suscripción',
    question: (address, instance) =>
      `¿Quieres que ${instance} deje de enviar boletines y promociones a ${address}?`,
    other_mail: 'Los mensajes sobre tus compras, tu cuenta y similares pueden seguir llegándote.',
    reason: '¿Por qué te vas?',
    button: 'Cancelar suscripción',
    done_title: 'Tu suscripción está cancelada',
    done: (address, instance) => `${address} ya no recibirá boletines ni promociones de ${instance}.`,
    question_of: (purpose, address, instance) =>
      `¿Quieres que ${instance} deje de enviar «${purpose}» a ${address}?`,
    done_of: (purpose, address, instance) => `${address} ya no recibirá «${purpose}» de ${instance}.`,
    others: 'También aceptaste lo siguiente. Marca lo que quieres dejar de recibir:',
    or_all: '¿O quieres dejar de recibir todo?',
    all: (instance) => `Todos los boletines y promociones de ${instance}`,
    others_after: 'Todavía aceptas lo siguiente. Marca lo que quieres dejar de recibir:',
    button_others: 'Dejar de recibir lo marcado',
    resubscribed_to: (purpose, address, instance) =>
      `${address} volverá a recibir «${purpose}» de ${instance}.`,
    update: 'Para cambiar los datos que tenemos de ti:',
    mistake: '¿Fue un error? Puedes volver.',
    resubscribe: 'Volver a suscribirme',
    resubscribed_title: 'Qué bueno tenerte de vuelta',
    resubscribed: (address, instance) => `${address} volverá a recibir los correos de ${instance}.`,
    unclear: 'No entendimos qué hacer. Usa el botón de abajo, por favor.',
  },
  report: {
    title: 'Denunciar este mensaje',
    explanation:
      'Cuéntanos si este mensaje no debió enviarse. Tu denuncia queda registrada, y este remitente no volverá a escribirte a esta dirección.',
    what: '¿Qué tiene de malo?',
    types: {
      spam: 'No lo pedí (spam)',
      phishing_or_malware: 'Quiere mis claves o mis datos, o trae un virus',
      fraud: 'Es una estafa o se hace pasar por otra persona',
      adult_content: 'Contenido para adultos',
      violent_or_illegal: 'Contenido violento o ilegal',
      intellectual_property: 'Usa una marca o una obra sin permiso',
      other: 'Otra cosa',
    },
    missing: 'Elige qué tiene de malo el mensaje, por favor.',
    comment: '¿Quieres contarnos más?',
    comment_hint: 'Opcional. No incluyas claves ni otros datos privados, por favor.',
    button: 'Enviar denuncia',
    done_title: 'Gracias por tu denuncia',
    done: (instance) => `Tomamos nota. ${instance} no volverá a escribirte a esta dirección.`,
  },
  view: {
    to: (address) => `Para ${address}`,
    frame: 'El mensaje',
    no_subject: '(sin asunto)',
    gone: {
      title: 'Este mensaje ya no está aquí',
      text: 'Los mensajes se guardan por tres meses. Quizás todavía lo encuentres en tu casilla.',
    },
    disabled: {
      title: 'Este mensaje no se muestra aquí',
      text: 'La cuenta que lo envió está deshabilitada. Quizás aún esté en tu correo; fíjate bien a dónde llevan sus enlaces.',
    },
    taken_down: {
      title: 'Este mensaje no se muestra aquí',
      text: 'Lleva a un sitio que se usó para abusos, como pedir contraseñas o números de tarjeta. No sigas sus enlaces.',
    },
  },
  link: {
    leads_to: 'Lleva a',
    disabled_title: 'Mira antes de seguir',
    disabled:
      'La cuenta que envió este enlace está deshabilitada. Sigue solo si esperabas el mensaje y conoces este sitio.',
    go_on: (host) => `Seguir a ${host}`,
    taken_down_title: 'Este enlace fue dado de baja',
    taken_down:
      'El sitio al que lleva se usó para abusos, como pedir contraseñas o números de tarjeta. Si ingresaste algo ahí, cambia tu contraseña y avisa a tu banco.',
  },
  not_found: {
    title: 'Este enlace no funciona',
    text: 'Está incompleto o no es nuestro. Vuelve a abrir el mensaje y sigue el enlace desde ahí.',
  },
  expired: {
    title: 'Este enlace es muy antiguo',
    text: 'El mensaje con el que llegó tiene más de tres meses y ya no está aquí. Usa el enlace de un mensaje más nuevo, por favor.',
  },
  unavailable: {
    title: 'Vuelve a intentarlo en un momento',
    text: 'Ahora mismo no pudimos consultar nuestros registros; no se cambió nada.',
  },
  too_large: {
    title: 'Eso fue muy largo',
    text: 'Vuelve atrás y escribe menos, por favor. No se cambió nada.',
  },
  refused: {
    title: 'No pudimos leer eso',
    text: 'Vuelve atrás y usa el formulario de la página, por favor. No se cambió nada.',
  },
  broken: {
    title: 'Algo salió mal',
    text: 'Es culpa nuestra y ya lo sabemos. Vuelve a intentarlo más tarde, por favor.',
  },
};
