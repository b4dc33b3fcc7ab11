import { counted } from './counting.ts';
import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/consent-evidence.ts';

export const messages: Translation<typeof english> = {
  title: 'Evidencia de consentimiento',
  for_admins: 'La evidencia es para administradores',
  for_admins_about:
    'Nombra a personas y lo que dijeron. Pide a un administrador o propietario que te la muestre.',
  whose: '¿La evidencia de quién?',
  whose_about:
    'Escribe completa la dirección, el número o el código de una persona para ver todo lo registrado: qué aceptó, bajo qué texto y qué rige ahora.',
  made: (name) => `Registrado en ${name}. Leído el`,
  audited: 'Cada lectura queda en la auditoría.',
  print: 'Imprimir',
  download: 'Descargar',
  as_json: 'Como JSON, con cada texto sellado',
  as_page: 'Como página para entregar',
  saved: 'El archivo está guardado.',
  record: 'Registrar a mano',
  nothing: 'No hay nada registrado sobre este contacto',
  nothing_about:
    'Ningún formulario, llamada a la API ni persona registró un consentimiento o un retiro. Los correos coinciden con mayúsculas o minúsculas; los códigos únicos, solo tal como se enviaron.',
  standing: 'Lo que rige ahora',
  since: 'desde el',
  history: 'Historial',
  more_events: 'Hay más eventos de los que caben aquí. Expórtalos en la lista de eventos.',
  said: { allow: 'Aceptó', deny: 'Retiró', both: 'Aceptó en parte' },
  pending: 'Aceptó, y aún no confirma',
  expired: 'Aceptó, y nunca confirmó',
  version_of: (term, version) => `${term}, versión ${version}`,
  facts: {
    text: 'Bajo',
    method: 'Método',
    source: 'Origen',
    confirmed: 'Confirmado',
    expired: 'Expirado',
    chain: 'Lugar en la cadena',
  },
  origin: {
    actor: 'Registrado por',
    address: 'Desde la dirección',
    user_agent: 'Agente de usuario',
    submission_id: 'Envío',
    reason: 'Cómo se sabe',
    origin: 'Cómo y dónde se dio',
    consented_at: 'Dado el',
    import_id: 'Importación',
    file_sha256: 'SHA-256 del archivo',
    file_line: 'Línea del archivo',
    request_id: 'Solicitud',
    via: 'Por medio de',
  },
  actors: {
    user: (name) => `${name}, en el panel`,
    api_key: (id) => `Clave de API ${id}`,
    system: 'La persona, por un enlace',
    operator: 'Operador, en la línea de comandos',
  },
  unaltered: 'Inalterado',
  altered: 'Alterado',
  texts: 'Textos aceptados',
  text_hash: 'SHA-256 del texto',
  integrity: 'Integridad',
  checked: 'Revisado por el servicio al generar esta página:',
  partly: (count) =>
    `Revisado por el servicio al generar esta página: ${counted(count, 'fila', 'filas')} desde el comienzo, todo íntegro. Verifica para revisar el resto.`,
  end: 'Final de la cadena',
  verify: 'Verificar',
  verify_about:
    'Revisa de nuevo toda la cadena y vuelve a calcular en tu navegador cada hash de esta página, para que no dependas de la palabra del servicio.',
  verifying: (count) => `Verificando… ${counted(count, 'fila', 'filas')}`,
  verified: (rows, texts) =>
    `Calculado de nuevo en este navegador: cada hash de esta página (filas: ${rows}, textos: ${texts}). Todos coinciden con lo que lees aquí.`,
  verified_at: 'Verificado el',
  mismatch: (ids) => `Lo que lees aquí no es lo que se selló. Eventos: ${ids}.`,
  unsupported:
    'Este navegador calcula hash solo en conexiones cifradas. Abre el panel por https para verificar aquí.',
};
