import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/smtp-credentials.ts';

export const messages: Translation<typeof english> = {
  title: 'Credenciales SMTP',
  about: 'Para frameworks, impresoras y todo lo que envía por SMTP. Crea una para cada programa.',
  add: 'Crear credencial',
  name: 'Nombre',
  name_help: 'El programa que la usará, como «tienda».',
  username: 'Usuario',
  password: 'Contraseña',
  state: 'Estado',
  states: { active: 'Activa', revoked: 'Revocada' },
  created: 'Creada',
  revoked: 'Revocada',
  secret_title: 'Tu credencial SMTP',
  revoke: 'Revocar credencial',
  revoke_about: (name) =>
    `Desde ahora se rechaza con 535 a quien se identifica con «${name}». El correo ya aceptado sale.`,
  is_revoked: 'La credencial se revocó.',
  empty: 'Aún no hay credenciales SMTP',
  empty_about:
    'Indica a un framework que Chasqui es su servidor de correo: lo que entrega sigue el mismo camino que un envío por HTTP. La contraseña se muestra una vez, al crear la credencial.',
  connect: 'Conectar un programa',
  connect_about:
    'El encabezado From debe ser uno de tus remitentes. El de este ejemplo envía solo al sandbox.',
  framework: 'Framework',
  security: 'Cifrado',
  implicit: 'TLS',
  host: 'Servidor',
  port: 'Puerto',
  your_username: 'tu-usuario',
  certificate:
    'El servicio usa un certificado autofirmado hasta que un operador instale otro. Configura tus clientes para que lo acepten.',
};
