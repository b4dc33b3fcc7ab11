import type { NoteId } from '../provider-notes.ts';

/** Lo que un proveedor quiere decir con una respuesta y qué hacer al respecto. */
export const notesEs: Record<NoteId, { meaning: string; advice?: string }> = {
  gmail_unauthenticated: {
    meaning:
      'Gmail acepta correo solo de dominios cuyo SPF o DKIM pasa y que cumplen su propia política DMARC.',
    advice: 'Reglas de Gmail para remitentes: https://support.google.com/mail/answer/81126',
  },
  gmail_ptr: {
    meaning: 'Gmail exige un registro PTR de la dirección de envío cuyo nombre conduzca de vuelta a ella.',
  },
  gmail_rate: {
    meaning: 'Gmail vio mucho más correo, o más correo no deseado, de esta dirección que antes.',
    advice: 'Mira cómo juzga Gmail tu dominio: https://postmaster.google.com',
  },
  gmail_domain_reputation: {
    meaning: 'Gmail juzga por el dominio del From: sus lectores marcaron correos anteriores como spam.',
    advice: 'Mira cómo juzga Gmail tu dominio: https://postmaster.google.com',
  },
  gmail_spam: {
    meaning: 'El filtro de Gmail tomó este mensaje por correo no solicitado.',
    advice: 'Mira cómo juzga Gmail tu dominio: https://postmaster.google.com',
  },
  gmail_content: {
    meaning:
      'Gmail bloquea ciertos tipos de archivo, también dentro de comprimidos, y enlaces a sitios dañinos.',
    advice: 'Tipos de archivo que Gmail bloquea: https://support.google.com/mail/answer/6590',
  },
  gmail_later: { meaning: 'Gmail rechaza por un rato las conexiones de esta dirección, sin bloquearla.' },
  gmail_relay_limit: {
    meaning: 'El correo pasó por una cuenta de Google que ya alcanzó su límite diario.',
    advice: 'Pide al operador que no use una cuenta de Google como relay para grandes cantidades.',
  },
  workspace_policy: { meaning: 'La organización del destinatario puso esta regla en su Google Workspace.' },
  outlook_block: {
    meaning: 'Outlook.com bloquea la dirección de envío o su red por su reputación.',
    advice: 'El operador puede pedir una mitigación a Microsoft: https://olcsupport.office.com',
  },
  outlook_rate: {
    meaning: 'Outlook.com deja enviar más a una dirección a medida que la conoce.',
    advice:
      'El operador puede ver cómo juzga Outlook.com la dirección: https://sendersupport.olc.protection.outlook.com/snds/',
  },
  outlook_authentication: {
    meaning: 'Outlook.com exige SPF, DKIM y DMARC a todos los dominios que envían muchos correos.',
  },
  microsoft_banned: {
    meaning: 'Microsoft 365 vetó la dirección de envío.',
    advice: 'El operador puede hacerla sacar: https://sender.office.com',
  },
  microsoft_busy: {
    meaning: 'Microsoft 365 hace más lentas a las direcciones cuyo correo le parece sospechoso.',
  },
  microsoft_dmarc: {
    meaning: 'La política DMARC de tu propio dominio pide rechazar lo que no pasa, y esto no pasó.',
  },
  microsoft_group: { meaning: 'El grupo acepta correo solo de personas de la organización.' },
  microsoft_directory: {
    meaning: 'La dirección no está en el directorio de la organización del destinatario.',
  },
  microsoft_connector: {
    meaning:
      'El Microsoft 365 del destinatario está mal configurado: falta un conector o un dominio aceptado, o forman un bucle.',
  },
  yahoo_spamhaus: {
    meaning: 'Yahoo rechaza las direcciones que están en las listas de Spamhaus.',
    advice: 'El operador puede consultar y sacar la dirección: https://check.spamhaus.org',
  },
  yahoo_deferred: {
    meaning: 'Yahoo posterga el correo de esta dirección después de denuncias o de un volumen repentino.',
    advice: 'Reglas de Yahoo para remitentes: https://senders.yahooinc.com/best-practices/',
  },
  yahoo_blocked: {
    meaning: 'Yahoo bloqueó esta dirección en forma definitiva.',
    advice: 'El operador puede preguntar a Yahoo: https://senders.yahooinc.com/contact',
  },
  yahoo_policy: {
    meaning: 'Yahoo encontró que el mensaje o su autenticación no cumple sus reglas.',
    advice: 'Códigos de error de Yahoo: https://senders.yahooinc.com/smtp-error-codes/',
  },
  icloud_policy: {
    meaning: 'iCloud rechaza el correo de remitentes con mala reputación y el contenido que toma por spam.',
    advice: 'Reglas de iCloud para remitentes: https://support.apple.com/102322',
  },
  proofpoint_block: {
    meaning: 'Proofpoint, que filtra para el destinatario, bloquea la dirección de envío.',
    advice: 'El operador puede pedir que la saquen: https://ipcheck.proofpoint.com',
  },
  mimecast_greylist: { meaning: 'Mimecast usa listas grises con los remitentes que no conoce.' },
  mimecast_spoofing: {
    meaning:
      'La organización del destinatario acepta correo con su propio dominio en From solo de sus servidores.',
    advice: 'Que sus administradores agreguen en Mimecast una excepción de anti-spoofing para ti.',
  },
  mimecast_reputation: {
    meaning: 'Mimecast, que filtra para el destinatario, asigna una mala reputación a la dirección de envío.',
  },
  mimecast_policy: { meaning: 'La organización del destinatario bloquea a este remitente en Mimecast.' },
  barracuda_reputation: {
    meaning: 'La dirección de envío está en la lista de bloqueo de Barracuda.',
    advice: 'El operador puede pedir que la saquen: https://www.barracudacentral.org/rbl/removal-request',
  },
  barracuda_content: {
    meaning: 'Barracuda, que filtra para el destinatario, bloqueó el contenido o un enlace.',
  },
  cisco_reputation: {
    meaning: 'Cisco Talos da una mala reputación a la dirección de envío.',
    advice: 'El operador puede consultarla: https://talosintelligence.com/reputation_center',
  },
  invalid_recipients: {
    meaning: 'El servidor contó demasiadas direcciones que no existen.',
    advice: 'Limpia tu lista de este dominio antes de volver a enviarle.',
  },
  spamhaus: {
    meaning: 'El servidor consulta las listas de Spamhaus, y el remitente está en una.',
    advice: 'El operador puede consultar y sacar la dirección: https://check.spamhaus.org',
  },
  united_internet: {
    meaning: 'GMX y web.de explican cada rechazo por el caso que nombra su respuesta.',
    advice: 'Sus reglas para remitentes: https://postmaster.gmx.net/en/',
  },
  t_online: {
    meaning: 'T-Online acepta correo solo de direcciones cuyo operador conoce.',
    advice: 'El operador puede escribir a tosa@rx.t-online.de para que admitan la dirección.',
  },
  orange: {
    meaning: 'Orange nombra la regla en el código OFR de su respuesta.',
    advice: 'Reglas de Orange para remitentes: https://postmaster.orange.fr',
  },
  comcast: {
    meaning: 'Comcast bloquea la dirección de envío por spam.',
    advice: 'El operador puede pedir que la saquen: https://postmaster.comcast.net',
  },
  att: {
    meaning: 'AT&T mantiene una lista de bloqueo propia.',
    advice: 'El operador puede reenviar la respuesta a abuse_rbl@abuse-att.net.',
  },
  mail_ru: {
    meaning: 'Mail.ru tomó el mensaje por spam.',
    advice: 'Las reglas de Mail.ru: https://help.mail.ru/mail-help/postmaster/',
  },
  yandex: {
    meaning: 'Yandex tomó el mensaje por spam.',
    advice: 'Las reglas de Yandex: https://yandex.com/support/mail/spam/honest-mailers.html',
  },
  qq: {
    meaning:
      'QQ limita con qué frecuencia puede conectarse una dirección, y lo aumenta a los remitentes que conoce.',
  },
  netease: {
    meaning: '163 (NetEase) tomó el mensaje por spam.',
    advice: 'Los códigos de NetEase: https://mail.163.com/help/help_spam_16.htm',
  },
};
