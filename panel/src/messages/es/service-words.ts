import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/service-words.ts';

export const messages: Translation<typeof english> = {
  checks: {
    configuration: 'Configuración',
    database: 'Base de datos',
    schema: 'Esquema',
    'root secret': 'Secreto raíz',
    clock: 'Reloj',
    nodes: 'Nodos',
    erasures: 'Supresión de datos',
    jobs: 'Tareas',
    'base URL': 'URL base',
    'platform zone': 'Zona de la plataforma',
    'reverse DNS': 'DNS inverso',
    'port 25': 'Puerto 25',
    certificate: 'Certificado',
    'single sign-on': 'Inicio de sesión único',
    disk: 'Disco',
    mails: 'Correos',
    statistics: 'Estadísticas',
    consents: 'Evidencia de consentimiento',
  },
  jobs: {
    alerts: 'Abrir y cerrar alertas',
    checks: 'Ejecutar las revisiones de salud',
    expire_form_submissions: 'Vencer envíos sin confirmar',
    partitions: 'Crear particiones',
    platform_secrets: 'Borrar enlaces del correo de la plataforma',
    purge_alerts: 'Borrar alertas antiguas',
    purge_form_update_links: 'Borrar enlaces antiguos de formularios',
    purge_idempotency_keys: 'Borrar claves de idempotencia antiguas',
    purge_inbound: 'Borrar informes y correo entrante antiguos',
    purge_logins: 'Borrar sesiones y enlaces terminados',
    purge_rate_buckets: 'Borrar límites de uso inactivos',
    purge_sandbox_messages: 'Borrar correo antiguo del sandbox',
    purge_stats: 'Borrar estadísticas antiguas',
    purge_webhook_deliveries: 'Borrar entregas antiguas de webhooks',
    retention: 'Borrar correo fuera de plazo',
    rights_erasures: 'Ejecutar supresiones de datos',
    rights_list: 'Escribir la lista de supresiones de datos',
    rights_reminders: 'Recordar solicitudes de derechos',
    rights_replays: 'Repetir supresiones de datos tras una restauración',
    rights_returns: 'Suprimir regresos sin confirmar',
    rights_unverified: 'Borrar solicitudes sin verificar',
    stats: 'Sumar estadísticas',
    subjects: 'Indexar asuntos',
    certificate: 'Renovar el certificado',
  },
  said: {
    'base URL {}, platform domain {}': 'URL base {}, dominio de la plataforma {}',
    'external PostgreSQL, version {}': 'PostgreSQL externo, versión {}',
    'embedded PostgreSQL in {}, version {}': 'PostgreSQL incluido, en {}, versión {}',
    '{} migrations, none pending': 'migraciones: {}, ninguna pendiente',
    'matches the one this database was set up with': 'es el mismo con que se creó esta base de datos',
    'none yet: the first start makes one': 'aún no hay: lo crea el primer inicio',
    'in step with the database': 'coincide con el de la base de datos',
    'none is running': 'ninguno en ejecución',
    '{} {} ({}) seen {} s ago': '{} {} ({}), visto hace {} s',
    'none under way': 'ninguna en curso',
    '{} under way': 'en curso: {}',
    'stopped before the end: {}': 'detenidas antes de terminar: {}',
    'none has run yet: no process with role jobs was started':
      'ninguna se ha ejecutado: no se inició ningún proceso con el rol jobs',
    '{} jobs, all of them on time': 'tareas: {}, todas a tiempo',
    '{} is overdue since {}': '{} está atrasada desde {}',
    '{} failed: {}': '{} falló: {}',
    '{}, which only this network can open; no real domain sends yet':
      '{}, que solo se abre desde esta red; aún no envía ningún dominio real',
    '{}; no real domain sends yet': '{}; aún no envía ningún dominio real',
    '{} is reserved for trying things out; no real domain sends':
      '{} está reservado para pruebas; no envía ningún dominio real',
    '{} is delegated: {} is {}': '{} está delegado: {} es {}',
    '{} does not exist for the world: {} is not delegated here':
      '{} no existe en el DNS público: {} no está delegado aquí',
    '{} could not be resolved ({})': '{} no se pudo resolver ({})',
    '{} could not be resolved': '{} no se pudo resolver',
    'not examined: a smarthost delivers': 'sin revisar: entrega un smarthost',
    'not examined: no public address with a public name sends':
      'sin revisar: no envía ninguna dirección pública con nombre público',
    '{} has no PTR record; it should be {}': '{} no tiene registro PTR; debería ser {}',
    '{} greets as {}, but its PTR is {}': '{} se presenta como {}, pero su PTR es {}',
    'not tried: a smarthost delivers': 'sin probar: entrega un smarthost',
    'not tried: this is a test bed': 'sin probar: es un entorno de pruebas',
    '{} answers {} at port {}': '{} responde {} en el puerto {}',
    '{} answers at port {}': '{} responde en el puerto {}',
    '{} cannot be reached at port {}: {}': 'no se llega a {} en el puerto {}: {}',
    'none on this machine: a listener for SMTP makes one':
      'ninguno en esta máquina: lo crea el primer servidor SMTP',
    '{} is not there yet': '{} aún no existe',
    '{} is not there': '{} no existe',
    'the key of the certificate is missing, or is the one of another':
      'la clave del certificado falta o es de otro',
    'expired on {}': 'venció el {}',
    'not valid before {}': 'no es válido antes del {}',
    'expires in {} days, on {}': 'vence en {} días, el {}',
    'no provider is set': 'no hay proveedor configurado',
    '{} answers and knows {}; its redirect URI must be {}':
      '{} responde y conoce {}; su URI de redirección debe ser {}',
    '{} of {} GiB free ({} %)': '{} de {} GiB libres ({} %)',
    '{} accepted = {}': '{} aceptados = {}',
    '{} accepted = {} received + {} queued + {} sent + {} dropped + {} deferred + {} bounced + {} onhold':
      '{} aceptados = {} recibidos + {} en cola + {} entregados + {} descartados + {} diferidos + {} rebotados + {} retenidos',
    'they agree with the mails; days compared: {}': 'coinciden con los correos; días comparados: {}',
    '{} rows of evidence in {} instances, none tampered with':
      'filas de evidencia: {}, en instancias: {}; ninguna alterada',
    'everything is in order': 'todo en orden',
    '{} need attention: {}': 'requieren atención ({}): {}',
    '{} raised, {} resolved, {} mails': 'abiertas: {}, cerradas: {}, correos: {}',
    '{} submissions expired': 'envíos vencidos: {}',
    '{} partitions created': 'particiones creadas: {}',
    '{} mails without their links': 'correos sin sus enlaces: {}',
    '{} alerts': 'alertas: {}',
    '{} links purged': 'enlaces borrados: {}',
    '{} idempotency keys': 'claves de idempotencia: {}',
    '{} DMARC reports, {} inbound messages': 'informes DMARC: {}, mensajes entrantes: {}',
    '{} sessions, {} password links, {} failed sign-ins, {} challenges':
      'sesiones: {}, enlaces de contraseña: {}, inicios fallidos: {}, desafíos: {}',
    '{} idle buckets': 'límites inactivos: {}',
    '{} sandbox messages': 'mensajes del sandbox: {}',
    '{} quarters': 'cuartos de hora: {}',
    '{} old deliveries, {} of deleted webhooks, {} replaced secrets':
      'entregas antiguas: {}, de webhooks eliminados: {}, secretos reemplazados: {}',
    'no month dropped, {} mails deleted': 'ningún mes borrado, correos borrados: {}',
    '{} dropped, {} mails deleted': 'mes borrado: {}, correos borrados: {}',
    '{} erasures done, {} under way': 'supresiones de datos terminadas: {}, en curso: {}',
    '{} unconfirmed returns erased, {} under way': 'regresos suprimidos: {}, en curso: {}',
    '{} erasures': 'supresiones de datos: {}',
    '{} reminders, {} mails': 'recordatorios: {}, correos: {}',
    '{} contacts erased again': 'contactos suprimidos de nuevo: {}',
    '{} requests': 'solicitudes: {}',
    '{} changes added up': 'cambios sumados: {}',
    '{} subjects': 'asuntos: {}',
    'valid until {}': 'válido hasta {}',
    'tries again at {}: {}': 'se intenta de nuevo a las {}: {}',
    'got a certificate for {}, valid until {}': 'certificado obtenido para {}, válido hasta {}',
    'Correct the settings that are named; .env.example explains each.':
      'Corrige los ajustes nombrados; .env.example explica cada uno.',
    'Look at DATABASE_URL, the network and the log of the database.':
      'Revisa DATABASE_URL, la red y el registro de la base de datos.',
    'Run `chasqui migrate` with the newest version that runs here; docs/upgrading.md says more.':
      'Ejecuta `chasqui migrate` con la versión más nueva que corre aquí; docs/upgrading.md lo explica.',
    'Put the secret back from a backup: the file `secret` of the data folder, or CHASQUI_SECRET.':
      'Recupera el secreto de un respaldo: el archivo `secret` de la carpeta de datos, o CHASQUI_SECRET.',
    'Let NTP set the clocks of this machine and of the database server.':
      'Sincroniza por NTP los relojes de esta máquina y del servidor de la base de datos.',
    'Look at the log of each node.': 'Revisa el registro de cada nodo.',
    'Start a node with role jobs; the log has the error of each failed run.':
      'Inicia un nodo con el rol jobs; el registro tiene el error de cada ejecución fallida.',
    'Restore the rows that are named from a backup: evidence was changed by hand.':
      'Recupera de un respaldo las filas nombradas: la evidencia se cambió a mano.',
    'Set CHASQUI_BASE_URL to the address by which people reach this installation.':
      'Define CHASQUI_BASE_URL con la dirección por la que las personas llegan a esta instalación.',
    'Look at the resolvers (CHASQUI_DNS_SERVERS) and the network of this machine.':
      'Revisa los servidores DNS (CHASQUI_DNS_SERVERS) y la red de esta máquina.',
    'Put a certificate in PEM where CHASQUI_TLS_CERT_FILE says, readable to the service.':
      'Pon un certificado PEM donde indica CHASQUI_TLS_CERT_FILE, legible para el servicio.',
    'Let the service read the folder of CHASQUI_DATA_DIR.':
      'Permite que el servicio lea la carpeta de CHASQUI_DATA_DIR.',
    'Report it with this output: it is a bug, or the database was changed by hand.':
      'Infórmalo con este resultado: es un error de Chasqui, o la base de datos se cambió a mano.',
  },
};
