/** A message as a mail program wrote it, and what its author typed. */
export interface ReplySample {
  name: string;
  raw: Buffer;
  expected: string;
  confidence: 'high' | 'medium' | 'low';
}

interface Written {
  subject: string;
  mailer?: string;
  text?: string;
  html?: string;
  charset?: 'utf-8' | 'iso-8859-1' | 'us-ascii';
  encoding?: 'quoted-printable' | 'base64' | '8bit';
  /** A file beside the text, as pictures in signatures are. */
  has_image?: boolean;
}

/** The message as octets, its parts encoded as asked for. */
export function mime(written: Written): Buffer {
  const { subject, mailer, text, html, has_image } = written;
  const head = [
    'From: =?utf-8?Q?Mar=C3=ADa?= <maria@example.net>',
    'To: ventas@tienda.example',
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    'Date: Mon, 03 Nov 2025 14:02:11 -0300',
    'Message-ID: <answer.1@example.net>',
    'In-Reply-To: <order.77@tienda.example>',
    ...(mailer === undefined ? [] : [`X-Mailer: ${mailer}`]),
    'MIME-Version: 1.0',
  ].join('\r\n');
  const texts = [
    ...(text === undefined ? [] : [part('text/plain', text, written)]),
    ...(html === undefined ? [] : [part('text/html', html, written)]),
  ];
  const body = texts.length === 1 ? (texts[0] ?? '') : container('alternative', texts);
  const image =
    'Content-Type: image/png; name=logo.png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n';
  const content = has_image === true ? container('related', [body, image]) : body;
  return Buffer.from(`${head}\r\n${content}`, 'latin1');
}

function container(kind: string, parts: string[]): string {
  const boundary = `=_${kind}_${parts.length}`;
  const inside = parts.map((each) => `--${boundary}\r\n${each}\r\n`).join('');
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n${inside}--${boundary}--\r\n`;
}

function part(
  type: string,
  content: string,
  { charset = 'utf-8', encoding = 'quoted-printable' }: Written,
): string {
  const octets = Buffer.from(content.replaceAll('\n', '\r\n'), charset === 'utf-8' ? 'utf8' : 'latin1');
  const fields = `Content-Type: ${type}; charset="${charset}"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
  return `${fields}${encode(octets, encoding)}\r\n`;
}

function encode(octets: Buffer, encoding: string): string {
  if (encoding === '8bit') return octets.toString('latin1');
  if (encoding === 'base64') return octets.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  return octets
    .toString('latin1')
    .replaceAll(
      /[^\r\n\t -<>-~]/g,
      (each) => `=${each.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .replaceAll('=', (each, at: number, all: string) =>
      /^=[0-9A-F]{2}/.test(all.slice(at, at + 3)) ? each : '=3D',
    )
    .replaceAll(/[^\r\n]{72}(?=[^\r\n])/g, (line) => softBreak(line));
}

/** Not inside an escape. */
function softBreak(line: string): string {
  const cut = line.slice(-2).indexOf('=');
  const at = cut === -1 ? line.length : line.length - 2 + cut;
  return `${line.slice(0, at)}=\r\n${line.slice(at)}`;
}

/** The mail that all of them answer, as lines. */
export const original = {
  es: [
    'Hola María:',
    '',
    'Tu pedido 77 sale hoy a las 16:00.',
    'Responde a este correo si algo falta.',
    '',
    'Tienda Andes',
  ],
  en: [
    'Hello Mary,',
    '',
    'Your order 77 leaves today at 16:00.',
    'Reply to this mail if anything is missing.',
    '',
    'Andes Shop',
  ],
  de: [
    'Guten Tag,',
    '',
    'Ihre Bestellung 77 geht heute um 16:00 Uhr raus.',
    'Antworten Sie, falls etwas fehlt.',
    '',
    'Andes Shop',
  ],
  pt: [
    'Olá Maria,',
    '',
    'O seu pedido 77 sai hoje às 16:00.',
    'Responda a este email se faltar algo.',
    '',
    'Loja Andes',
  ],
  fr: [
    'Bonjour,',
    '',
    'Votre commande 77 part aujourd’hui.',
    'Répondez si quelque chose manque.',
    '',
    'Andes',
  ],
} as const;
export type Language = keyof typeof original;

export const quotedLines = (language: Language): string =>
  original[language].map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
export const plainLines = (language: Language): string => original[language].join('\n');
export const htmlLines = (language: Language): string =>
  original[language].map((line) => `<div>${line === '' ? '<br>' : line}</div>`).join('');
export const asHtml = (text: string): string =>
  text
    .split('\n')
    .map((line) => `<div>${line === '' ? '<br>' : line}</div>`)
    .join('');
