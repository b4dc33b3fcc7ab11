import { counted, plural } from './counting.ts';
import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/domain.ts';

export const messages: Translation<typeof english> = {
  records: 'Registros DNS',
  records_about:
    'Agrega estos registros donde se administra el DNS del dominio. Esta página los consulta cada 30 segundos.',
  all_found: 'Todos los registros están publicados',
  all_found_about: 'Valida el dominio ahora para enviar con él.',
  lost: (count) =>
    `${plural(count, 'Falta', 'Faltan')} ${counted(count, 'registro', 'registros')} que antes ${plural(count, 'estaba', 'estaban')}`,
  lost_about:
    'El dominio sigue verificado hasta la próxima validación. Publica lo que falta antes de validar.',
  looked_up: 'DNS consultado',
  looking: 'Consultando el DNS…',
  full_names: 'Nombres completos',
  checks: {
    ownership: { name: 'Propiedad', about: 'Opcional. Demuestra que el dominio es tuyo.' },
    mx: { name: 'MX', about: 'Hace llegar aquí los rebotes y las denuncias.' },
    spf: { name: 'SPF', about: 'Autoriza a esta plataforma a enviar por el dominio.' },
    dkim: { name: 'DKIM', about: 'Firma cada correo. Son dos nombres, para poder rotar las claves.' },
    dmarc: {
      name: 'DMARC',
      about: 'Indica qué hacer con el correo que no pasa SPF ni DKIM, y pide informes.',
    },
  },
  statuses: {
    found: 'Publicado',
    not_found: 'No está',
    wrong_value: 'Otro valor',
    unreadable: 'Sin respuesta',
    pending: 'Sin consultar',
  },
  state: 'Estado',
  found: 'En el DNS hay:',
  suggested_value: 'Valor, con lo que ya publicas',
  copy_name: (type) => `Copiar el nombre del registro ${type}`,
  copy_value: (type) => `Copiar el valor del registro ${type}`,
  doubled: (found_at, name) =>
    `El registro quedó en ${found_at}: tu proveedor agrega el dominio a cada nombre. Escríbelo así: ${name}.`,
  problems: {
    not_found: 'No hay nada publicado con este nombre.',
    wrong_value: 'Aquí hay publicado otro valor. Reemplázalo.',
    unreadable: 'Los servidores de nombre no respondieron. Se consultará de nuevo.',
    several_records:
      'Hay varios registros de este tipo y solo puede existir uno. Reemplázalos todos por el de arriba.',
    spf_include_missing:
      'Tu registro SPF no incluye esta plataforma. Reemplázalo por el de arriba, que mantiene lo que ya autoriza.',
    spf_include_after_all:
      'Esta plataforma aparece después de «all», donde los receptores ya no leen. Reemplaza el registro por el de arriba.',
    spf_include_qualified:
      'Esta plataforma aparece con un calificador que no la deja enviar. Reemplaza el registro por el de arriba.',
    spf_too_many_lookups:
      'Tu registro SPF necesita más de 10 consultas DNS y los receptores lo rechazan. Quita los servicios que ya no usas.',
    cname_loop: 'Este CNAME vuelve a sí mismo.',
    cname_too_long: 'Este CNAME pasa por demasiados nombres. Apúntalo directamente al valor de arriba.',
    dkim_key_copied:
      'Hay un registro TXT con una copia de la clave. Elimínalo y agrega el CNAME, para que las claves se puedan rotar.',
    dkim_key_missing:
      'El CNAME está bien, pero la plataforma no publica ahí ninguna clave. Su operador tiene que delegar el dominio de la plataforma.',
    dkim_key_invalid:
      'El CNAME está bien, pero apunta a algo que no es una clave DKIM. Lo tiene que corregir el operador de la plataforma.',
    dmarc_tag_repeated: 'Tu registro DMARC repite una etiqueta. Deja solo una.',
    dmarc_rua_missing:
      'Tu registro DMARC no tiene dirección para los informes. Reemplázalo por el de arriba, que mantiene tu política.',
    dmarc_rua_invalid:
      'La dirección para informes de tu registro DMARC (rua) no es válida. Debe comenzar con mailto:.',
  },
  connect: (provider) => `Publicar con ${provider}`,
  connect_about: (records, host) =>
    `Tu proveedor de DNS puede agregar estos registros por ti: ${records}. Inicias sesión en ${host}, los revisas y confirmas.`,
  connect_go: (provider) => `Continuar en ${provider}`,
  dns_at: (provider) => `Agrega los registros en ${provider}`,
  dns_of: (zone) => `Dónde se administra el DNS de ${zone}`,
  unknown_provider:
    'Agrega los registros en el panel del proveedor de estos servidores de nombre, que suele ser el de tu hosting.',
  no_name_servers: (zone) =>
    `Ningún servidor de nombre responde por ${zone}. Configúralos donde inscribiste el dominio: en NIC Chile si es .cl.`,
  name_servers: 'Servidores de nombre:',
  providers: {
    cloudflare: {
      name: 'Cloudflare',
      steps: {
        open: 'Entra a dash.cloudflare.com, elige el dominio y abre DNS, Registros.',
        add: 'Agrega un registro por cada fila. Escribe el nombre tal como aparece aquí: Cloudflare agrega el dominio.',
        proxy: 'Deja cada CNAME en «Solo DNS» (nube gris).',
      },
    },
    godaddy: {
      name: 'GoDaddy',
      steps: {
        open: 'Entra a Mis productos y elige DNS junto al dominio.',
        add: 'Agrega un registro por cada fila. Escribe el nombre tal como aparece aquí: GoDaddy agrega el dominio.',
        proxy: 'Si ya tienes un registro SPF, edítalo. No agregues un segundo.',
      },
    },
    google: {
      name: 'Google Cloud DNS',
      steps: {
        open: 'En la consola de Google Cloud abre Servicios de red, Cloud DNS, y elige la zona.',
        add: 'Agrega un registro estándar por cada fila. Deja el nombre vacío donde aquí aparece @.',
        proxy: 'Termina con un punto los destinos de los registros CNAME y MX.',
      },
    },
    namecheap: {
      name: 'Namecheap',
      steps: {
        open: 'Entra a Domain List, elige Manage y abre Advanced DNS.',
        add: 'Agrega un registro por cada fila. Escribe el host tal como aparece aquí: Namecheap agrega el dominio.',
        proxy: 'Los registros MX están en Mail Settings: elige Custom MX.',
      },
    },
    nic_chile: {
      name: 'NIC Chile',
      steps: {
        open: 'NIC Chile inscribe el dominio y entrega copias de la zona. Los registros se editan en el servidor primario.',
        add: 'Entra a nic.cl, abre el dominio y mira sus servidores de nombre: el primero suele ser el de tu hosting.',
        proxy: 'Agrega ahí los registros, o envíalos por correo a quien lo administra.',
      },
    },
    route53: {
      name: 'Amazon Route 53',
      steps: {
        open: 'En la consola de Route 53 abre Zonas alojadas y elige la zona.',
        add: 'Crea un registro por cada fila. Escribe el nombre tal como aparece aquí; déjalo vacío donde aparece @.',
        proxy:
          'Escribe los valores TXT entre comillas. O importa el lote de más abajo con la línea de comandos de AWS.',
      },
    },
  },
  type: 'Tipo',
  name: 'Nombre',
  value: 'Valor',
  priority: 'Prioridad',
  validate: 'Validar',
  validated: 'El dominio está verificado.',
  not_yet: 'Todavía faltan registros. En cada uno dice qué se encontró.',
  email: 'Enviar por correo',
  email_about: 'Envía los registros a quien administra el DNS.',
  address: 'Dirección',
  emailed: 'Los registros van en camino.',
  snippets: 'Fragmentos de zona',
  snippet_about: 'Los mismos registros, para pegar o importar.',
  bind: 'BIND',
  cloudflare: 'Cloudflare',
  route53: 'Route 53',
  rotate: 'Rotar claves DKIM',
  rotate_about:
    'La otra clave firma desde el próximo correo. El correo ya firmado sigue siendo válido y no tienes que cambiar nada en tu DNS.',
  rotated: 'Desde ahora firma la otra clave.',
  revoke: 'Revocar dominio',
  revoke_about: (domain) =>
    `Los remitentes de ${domain} no podrán enviar hasta que restablezcas y valides el dominio.`,
  revoked: 'El dominio está revocado.',
  reinstate: 'Restablecer dominio',
  reinstated: 'El dominio está restablecido. Ahora valídalo.',
  by_operator: 'El operador de la plataforma revocó este nombre. Solo él puede restablecerlo.',
  remove: 'Eliminar dominio',
  remove_about: (domain, senders) =>
    `Se eliminan ${domain} y sus claves DKIM. ${plural(senders, 'Deja', 'Dejan')} de enviar ${counted(senders, 'remitente', 'remitentes')}. Los registros de tu DNS quedan hasta que los quites.`,
  removed: 'Eliminaste el dominio.',
  dmarc_reports: 'Informes DMARC',
  dmarc_about:
    'Lo que informaron los receptores sobre el correo que dice venir de este dominio en los últimos 30 días.',
  no_reports:
    'Todavía no hay informes. Los receptores los envían una vez al día, cuando el registro DMARC está publicado.',
  source: 'Origen',
  messages: 'Mensajes',
  passed: 'Pasaron',
  failed: 'Fallaron',
  aligned: 'DKIM / SPF alineados',
  by_source: 'Mensajes por origen',
  facts: 'Detalles',
  added: 'Agregado',
  checked: 'Última revisión',
  never: 'nunca',
  selector: 'Selector DKIM',
  senders: 'Remitentes',
  any_sender: 'Otras direcciones',
  any_sender_about:
    'Permite enviar desde direcciones de este dominio que no están registradas como remitentes, por ejemplo una por colega.',
  any_sender_needs:
    'Permite enviar desde direcciones de este dominio que no están registradas como remitentes. Primero verifica el dominio y crea un remitente en él.',
  to_senders: 'Ir a remitentes',
  any_sender_switch: 'Cualquier dirección puede enviar',
  any_sender_saved: 'Guardado.',
  default_sender: 'Remitente por defecto',
  default_sender_about: 'Su flujo, seguimiento y consentimiento valen para las direcciones no registradas.',
  no_default_sender: 'Ninguno',
  letters: 'Correo a postmaster',
  letters_about: 'Lo que se escribe a postmaster@ y abuse@ de este dominio.',
  no_letters: 'Todavía no llega ningún mensaje.',
  sandbox_about: 'Este dominio es de prueba: su correo llega solo al sandbox y no necesita registros.',
};
