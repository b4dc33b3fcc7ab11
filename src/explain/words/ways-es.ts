import type { CauseCode } from '../causes.ts';
import type { Words } from './words.ts';

const wait = 'No hay nada que hacer: se intenta de nuevo.';
const tellThem = 'Si persiste, que el destinatario avise a los administradores de su correo.';

/** Lo que impide llegar al servidor del destinatario. */
export const waysEs = {
  server_unreachable: {
    title: 'el servidor del destinatario no responde',
    text: ({ host }) => `No se pudo llegar a ${host}, o no respondió a tiempo.`,
    advice: [
      wait,
      'Si también fallan otros destinos, pregunta al operador si el puerto 25 está abierto para el correo saliente.',
      tellThem,
    ],
  },
  connection_lost: {
    title: 'el servidor del destinatario cortó la conexión',
    text: ({ host }) =>
      `${host} cortó, o respondió con algo que no es SMTP, antes de que el correo fuera aceptado.`,
    advice: [wait, tellThem],
  },
  connection_tls: {
    title: 'no se pudo cifrar la conexión con el servidor del destinatario',
    text: ({ host }) => `La conexión con ${host} exige TLS, y la negociación TLS falla.`,
    advice: [wait, tellThem],
  },
  connection_dane: {
    title: 'el servidor del destinatario no es el que describen sus registros DNS (DANE)',
    text: ({ host }) =>
      `${host} tiene registros TLSA y su certificado no coincide con ellos. El correo no se envía, para que nadie pueda leerlo en el camino.`,
    advice: [
      'Que el destinatario avise a sus administradores que el certificado y los registros TLSA no coinciden.',
      wait,
    ],
  },
  connection_mta_sts: {
    title: 'el servidor del destinatario no cumple la política de su dominio (MTA-STS)',
    text: ({ destination }) =>
      `${destination} publica una política MTA-STS: solo los servidores que nombra, con un certificado válido, pueden recibir su correo. Ninguno de los que nombra el DNS la cumple.`,
    advice: [
      'Que el destinatario avise a sus administradores que la política, los registros MX y el certificado no coinciden.',
      wait,
    ],
  },
  connection_login: {
    title: 'el relay rechaza el inicio de sesión de la plataforma',
    text: 'Todo el correo pasa por un relay, que rechazó el usuario y la contraseña de la plataforma.',
    advice: ['Pide al operador que revise `CHASQUI_SMARTHOST`.'],
  },
  dns_failed: {
    title: 'no se pudo consultar el dominio',
    text: ({ destination }) =>
      `Los servidores de nombres de ${destination} no respondieron, o respondieron con un error.`,
    advice: [wait, tellThem],
  },
  dns_unavailable: {
    title: 'el DNS de la plataforma no responde',
    text: ({ destination }) => `La plataforma no pudo preguntar al DNS por los servidores de ${destination}.`,
    advice: [
      wait,
      'Si persiste, pide al operador que revise `CHASQUI_DNS_SERVERS`; `chasqui doctor` dice más.',
    ],
  },
  mx_broken: {
    title: 'los servidores de correo del dominio no tienen una dirección utilizable',
    text: ({ destination }) =>
      `Los registros MX de ${destination} nombran servidores sin dirección, o con una que no es pública.`,
    advice: ['Que el destinatario avise a sus administradores que hay que corregir los registros MX.', wait],
  },
  loops_to_us: {
    title: 'los registros MX del dominio apuntan a esta plataforma',
    text: ({ destination }) =>
      `Los registros MX de ${destination} apuntan a esta plataforma, que ahí recibe rebotes y no correo de personas.`,
    advice: ({ destination }) => [
      `Si ${destination} es tuyo, envía desde un subdominio como mail.${destination} y deja el MX de ${destination} a tus casillas.`,
      wait,
    ],
  },
} satisfies Partial<Record<CauseCode, Words>>;
