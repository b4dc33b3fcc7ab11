import {
  asHtml,
  htmlLines,
  mime,
  plainLines,
  quotedLines,
  type Language,
  type ReplySample,
} from './corpus-mime.fixture.ts';

const attributions = {
  es: 'El lun, 3 nov 2025 a la(s) 10:15, Tienda Andes (ventas@tienda.example) escribió:',
  en: 'On Mon, Nov 3, 2025 at 10:15 AM Andes Shop <ventas@tienda.example> wrote:',
  de: 'Am Mo., 3. Nov. 2025 um 10:15 Uhr schrieb Andes Shop <ventas@tienda.example>:',
  pt: 'Em seg., 3 de nov. de 2025 às 10:15, Loja Andes <ventas@tienda.example> escreveu:',
  fr: 'Le lun. 3 nov. 2025 à 10:15, Andes <ventas@tienda.example> a écrit :',
} as const;

/** Gmail breaks the attribution near column 72. */
function wrap(line: string): string {
  const at = line.lastIndexOf(' ', 70);
  return line.length > 72 ? `${line.slice(0, at)}\n${line.slice(at + 1)}` : line;
}

function gmail(
  name: string,
  language: Language,
  { typed, expected = typed }: { typed: string; expected?: string },
): ReplySample {
  const attribution = attributions[language];
  const html = `<div dir="ltr">${asHtml(typed)}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${attribution.replace('<', '&lt;').replace('>', '&gt;')}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">${htmlLines(language)}</blockquote></div>`;
  const text = `${typed}\n\n${wrap(attribution)}\n\n${quotedLines(language)}\n`;
  return { name, raw: mime({ subject: 'Re: Pedido 77', text, html }), expected, confidence: 'high' };
}

const quote = (html: string): string =>
  `<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">${html}</blockquote>`;

export const gmailSamples: ReplySample[] = [
  gmail('Gmail, Spanish, one line', 'es', { typed: 'Falta la factura, ¿me la envían?' }),
  gmail('Gmail, Spanish, paragraphs', 'es', {
    typed: 'Hola:\n\nMe llegó el pedido, pero viene una caja menos.\n\nQuedo atenta,\nMaría',
  }),
  gmail('Gmail, English', 'en', { typed: 'Thanks, that works for me.\n\nMary' }),
  gmail('Gmail, German', 'de', { typed: 'Vielen Dank, die Rechnung fehlt noch.\n\nViele Grüße\nMaria' }),
  gmail('Gmail, Portuguese', 'pt', { typed: 'Olá,\n\nO pedido chegou incompleto.' }),
  gmail('Gmail, French', 'fr', { typed: 'Bonjour,\n\nLa commande est arrivée, merci.' }),
  gmail('Gmail, a list and an address of the web', 'en', {
    typed:
      'Two things:\n\n1. The box is open.\n2. The manual is missing, see https://example.net/photo?id=2.',
  }),
  gmail('Gmail, a person quotes a time with a colon', 'en', {
    typed: 'My availability on Tuesday 4 Nov 2025 at 10:30:\n\nmorning only.',
  }),
  gmail('Gmail, signature in its own element', 'es', {
    typed: 'Recibido, gracias.\n\n-- \nMaría Soto\nJefa de compras\n+56 2 2345 6789',
    expected: 'Recibido, gracias.',
  }),
  {
    name: 'Gmail, HTML only',
    raw: mime({
      subject: 'Re: Order 77',
      html: `<div dir="ltr">Please send it to the <b>new address</b>.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, Nov 3, 2025 at 10:15 AM Andes Shop &lt;<a href="mailto:ventas@tienda.example">ventas@tienda.example</a>&gt; wrote:<br></div>${quote(htmlLines('en'))}</div>`,
      encoding: 'base64',
    }),
    expected: 'Please send it to the new address.',
    confidence: 'high',
  },
  {
    name: 'Gmail, a language without a pattern: the markup says it',
    raw: mime({
      subject: 'Re: Order 77',
      text: `Takk!\n\nmán., 3. nóv. 2025 kl. 10:15 ritaði Andes Shop <ventas@tienda.example>:\n\n${quotedLines('en')}\n`,
      html: `<div dir="ltr">Takk!</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">mán., 3. nóv. 2025 kl. 10:15 ritaði Andes Shop &lt;ventas@tienda.example&gt;:<br></div>${quote(htmlLines('en'))}</div>`,
    }),
    expected: 'Takk!',
    confidence: 'high',
  },
  {
    name: 'Gmail, answers between the quotes',
    raw: mime({
      subject: 'Re: Pedido 77',
      text: `El lun, 3 nov 2025 a la(s) 10:15, Tienda Andes (ventas@tienda.example)\nescribió:\n\n> Tu pedido 77 sale hoy a las 16:00.\n>\n\nPerfecto.\n\n> Responde a este correo si algo falta.\n>\n\nFalta la factura.\n`,
      html: `<div dir="ltr"><div class="gmail_quote"><div dir="ltr" class="gmail_attr">El lun, 3 nov 2025 a la(s) 10:15, Tienda Andes (ventas@tienda.example) escribió:<br></div>${quote('<div>Tu pedido 77 sale hoy a las 16:00.</div>')}<div><br></div><div>Perfecto.</div><div><br></div>${quote('<div>Responde a este correo si algo falta.</div>')}<div><br></div><div>Falta la factura.</div></div></div>`,
    }),
    expected: 'Perfecto.\n\nFalta la factura.',
    confidence: 'medium',
  },
  {
    name: 'Gmail, an answer below the quote',
    raw: mime({
      subject: 'Re: Order 77',
      text: `On Mon, Nov 3, 2025 at 10:15 AM Andes Shop <ventas@tienda.example> wrote:\n\n${quotedLines('en')}\n\nAll fine, thank you.\n`,
      html: `<div dir="ltr"><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, Nov 3, 2025 at 10:15 AM Andes Shop &lt;ventas@tienda.example&gt; wrote:<br></div>${quote(htmlLines('en'))}</div><div><br></div><div>All fine, thank you.</div></div>`,
    }),
    expected: 'All fine, thank you.',
    confidence: 'medium',
  },
  {
    name: 'Gmail, quotes of quotes',
    raw: mime({
      subject: 'Re: Order 77',
      text: `Third time: where is it?\n\nOn Mon, Nov 3, 2025 at 10:15 AM Andes Shop <ventas@tienda.example>\nwrote:\n\n> We look into it.\n>\n> On Sun, Nov 2, 2025 at 9:00 AM Mary <maria@example.net> wrote:\n>\n>> Where is it?\n>>\n>> On Sat, Nov 1, 2025 at 9:00 AM Andes Shop wrote:\n>>\n>>> It left.\n`,
    }),
    expected: 'Third time: where is it?',
    confidence: 'high',
  },
  {
    name: 'Gmail, a forward with a comment',
    raw: mime({
      subject: 'Fwd: Pedido 77',
      text: `Esto es lo que me mandaron.\n\n---------- Forwarded message ---------\nDe: Tienda Andes <ventas@tienda.example>\nDate: lun, 3 nov 2025 a la(s) 10:15\nSubject: Pedido 77\nTo: María <maria@example.net>\n\n\n${plainLines('es')}\n`,
      html: `<div dir="ltr">Esto es lo que me mandaron.<br><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">---------- Forwarded message ---------<br>De: <b class="gmail_sendername" dir="auto">Tienda Andes</b> <span dir="auto">&lt;ventas@tienda.example&gt;</span><br>Date: lun, 3 nov 2025 a la(s) 10:15<br>Subject: Pedido 77<br>To: María &lt;maria@example.net&gt;<br></div><br><br>${htmlLines('es')}</div></div>`,
    }),
    expected: 'Esto es lo que me mandaron.',
    confidence: 'medium',
  },
  {
    name: 'Gmail, a forward without a comment is given whole',
    raw: mime({
      subject: 'Fwd: Order 77',
      text: `---------- Forwarded message ---------\nFrom: Andes Shop <ventas@tienda.example>\nDate: Mon, Nov 3, 2025 at 10:15 AM\nSubject: Order 77\nTo: Mary <maria@example.net>\n\n\n${plainLines('en')}\n`,
    }),
    expected: `---------- Forwarded message ---------\nFrom: Andes Shop <ventas@tienda.example>\nDate: Mon, Nov 3, 2025 at 10:15 AM\nSubject: Order 77\nTo: Mary <maria@example.net>\n\n\n${plainLines('en')}`,
    confidence: 'low',
  },
  {
    name: 'Gmail, a quote indented by its author is text',
    raw: mime({
      subject: 'Re: Order 77',
      html: `<div dir="ltr">The address is:<blockquote style="margin:0 0 0 40px;border:none;padding:0px"><div>Los Aromos 12</div><div>Valdivia</div></blockquote></div>`,
    }),
    expected: 'The address is:\nLos Aromos 12\nValdivia',
    confidence: 'high',
  },
];
