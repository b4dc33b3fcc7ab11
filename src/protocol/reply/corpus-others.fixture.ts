import {
  asHtml,
  htmlLines,
  mime,
  plainLines,
  quotedLines,
  type Language,
  type ReplySample,
} from './corpus-mime.fixture.ts';

interface Quoting {
  language: Language;
  attribution: string;
  typed: string;
  expected?: string;
}

const escape = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Apple Mail: a blank line within its citation, and the attribution inside of it. */
function apple(name: string, { language, attribution, typed, expected = typed }: Quoting): ReplySample {
  const html = `<html><head></head><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space;">${asHtml(typed)}<div><br><blockquote type="cite"><div>${escape(attribution)}</div><br class="Apple-interchange-newline"><div>${htmlLines(language)}</div></blockquote></div><br></body></html>`;
  const text = `${typed}\n\n> ${attribution}\n> \n${quotedLines(language)}\n\n`;
  return {
    name,
    raw: mime({ subject: 'Re: Pedido 77', mailer: 'Apple Mail (2.3826)', text, html }),
    expected,
    confidence: 'high',
  };
}

/** The iPhone: attribution before the citation. */
function iphone(name: string, { language, attribution, typed, expected = typed }: Quoting): ReplySample {
  const html = `<html><head></head><body dir="auto">${asHtml(typed)}<div dir="ltr"><br><blockquote type="cite">${escape(attribution)}<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">${htmlLines(language)}</div></blockquote></body></html>`;
  const text = `${typed}\n\n> ${attribution}\n> \n> ${plainLines(language).replaceAll('\n', '\n> ')}\n`;
  return {
    name,
    raw: mime({ subject: 'Re: Pedido 77', mailer: 'iPhone Mail (22H20)', text, html }),
    expected,
    confidence: 'high',
  };
}

function thunderbird(name: string, { language, attribution, typed, expected = typed }: Quoting): ReplySample {
  const html = `<!DOCTYPE html><html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"></head><body><p>${typed.replaceAll('\n\n', '</p><p>').replaceAll('\n', '<br>')}</p><div class="moz-cite-prefix">${escape(attribution)}<br></div><blockquote type="cite" cite="mid:order.77@tienda.example">${htmlLines(language)}</blockquote></body></html>`;
  const text = `${typed}\n\n${attribution}\n${quotedLines(language)}\n`;
  return {
    name,
    raw: mime({ subject: 'Re: Pedido 77', mailer: 'Mozilla Thunderbird', text, html }),
    expected,
    confidence: 'high',
  };
}

export const otherSamples: ReplySample[] = [
  apple('Apple Mail, Spanish', {
    language: 'es',
    attribution: 'El 3 nov 2025, a las 10:15, Tienda Andes <ventas@tienda.example> escribió:',
    typed: 'Llegó bien.\n\nGracias',
  }),
  apple('Apple Mail, English', {
    language: 'en',
    attribution: 'On Nov 3, 2025, at 10:15, Andes Shop <ventas@tienda.example> wrote:',
    typed: 'It arrived.',
  }),
  apple('Apple Mail, German', {
    language: 'de',
    attribution: 'Am 03.11.2025 um 10:15 schrieb Andes Shop <ventas@tienda.example>:',
    typed: 'Ist angekommen.\n\nLG',
  }),
  iphone('iPhone, Spanish footer', {
    language: 'es',
    attribution: 'El 3 nov 2025, a la(s) 10:15, Tienda Andes <ventas@tienda.example> escribió:',
    typed: 'Ok, gracias\n\nEnviado desde mi iPhone',
    expected: 'Ok, gracias',
  }),
  iphone('iPhone, English footer', {
    language: 'en',
    attribution: 'On Nov 3, 2025, at 10:15 AM, Andes Shop <ventas@tienda.example> wrote:',
    typed: 'Ok, thanks\n\nSent from my iPhone',
    expected: 'Ok, thanks',
  }),
  iphone('iPhone, German footer', {
    language: 'de',
    attribution: 'Am 03.11.2025 um 10:15 schrieb Andes Shop <ventas@tienda.example>:',
    typed: 'Passt!\n\nVon meinem iPhone gesendet',
    expected: 'Passt!',
  }),
  iphone('iPhone, Portuguese footer', {
    language: 'pt',
    attribution: 'Em 3 de nov. de 2025, à(s) 10:15, Loja Andes <ventas@tienda.example> escreveu:',
    typed: 'Combinado\n\nEnviado do meu iPhone',
    expected: 'Combinado',
  }),
  thunderbird('Thunderbird, Spanish', {
    language: 'es',
    attribution: 'El 03-11-25 a las 10:15, Tienda Andes escribió:',
    typed: 'Me falta una caja.',
  }),
  thunderbird('Thunderbird, English', {
    language: 'en',
    attribution: 'On 11/3/25 10:15, Andes Shop wrote:',
    typed: 'One box is missing.\n\nMary',
  }),
  thunderbird('Thunderbird, German', {
    language: 'de',
    attribution: 'Am 03.11.25 um 10:15 schrieb Andes Shop:',
    typed: 'Eine Kiste fehlt.',
  }),
  thunderbird('Thunderbird, Portuguese', {
    language: 'pt',
    attribution: 'Em 03/11/2025 10:15, Loja Andes escreveu:',
    typed: 'Falta uma caixa.',
  }),
  thunderbird('Thunderbird, signature below its dashes', {
    language: 'en',
    attribution: 'On 11/3/25 10:15, Andes Shop wrote:',
    typed: 'See you Friday.\n\n-- \nMary Soto\nhttps://mary.example',
    expected: 'See you Friday.',
  }),
  {
    name: 'Thunderbird, plain text, an answer below each quote',
    raw: mime({
      subject: 'Re: Order 77',
      charset: 'us-ascii',
      encoding: '8bit',
      text: `On 11/3/25 10:15, Andes Shop wrote:\n> Your order 77 leaves today at 16:00.\n\nGreat.\n\n> Reply to this mail if anything is missing.\n\nThe invoice is.\n\n-- \nMary\n`,
    }),
    expected: 'Great.\n\nThe invoice is.',
    confidence: 'medium',
  },
  {
    name: 'Thunderbird, a forward',
    raw: mime({
      subject: 'Fwd: Bestellung 77',
      text: `Bitte prüfen.\n\n-------- Weitergeleitete Nachricht --------\nBetreff: Bestellung 77\nDatum: Mon, 3 Nov 2025 10:15:00 -0300\nVon: Andes Shop <ventas@tienda.example>\nAn: Maria <maria@example.net>\n\n${plainLines('de')}\n`,
    }),
    expected: 'Bitte prüfen.',
    confidence: 'medium',
  },
  {
    name: 'Samsung phone',
    raw: mime({
      subject: 'RE: Order 77',
      text: `Done\n\nSent from my Galaxy\n\n-------- Original message --------\nFrom: Andes Shop <ventas@tienda.example>\nDate: 11/3/25 10:15 (GMT-03:00)\nTo: Mary <maria@example.net>\nSubject: Order 77\n\n${plainLines('en')}\n`,
    }),
    expected: 'Done',
    confidence: 'high',
  },
  {
    name: 'Samsung phone, Spanish',
    raw: mime({
      subject: 'RE: Pedido 77',
      html: `<html><head></head><body dir="auto">Listo<div dir="auto"><br></div><div id="composer_signature" dir="auto"><div style="font-size:12px;color:#575757" dir="auto">Enviado desde mi Galaxy</div></div><div dir="auto"><br></div><div align="left" dir="auto" style="font-size:100%;color:#000000"><div>-------- Mensaje original --------</div><div>De: Tienda Andes &lt;ventas@tienda.example&gt; </div><div>Fecha: 3/11/25  10:15  (GMT-03:00) </div><div>A: María </div><div>Asunto: Pedido 77 </div><div><br></div></div>${htmlLines('es')}</body></html>`,
    }),
    expected: 'Listo',
    confidence: 'high',
  },
  {
    name: 'Yahoo Mail',
    raw: mime({
      subject: 'Re: Order 77',
      text: ` Please cancel it.\n\n    On Monday, November 3, 2025 at 10:15:00 AM GMT-3, Andes Shop <ventas@tienda.example> wrote:  \n \n ${plainLines('en').replaceAll('\n', '\n ')}\n`,
      html: `<html><head></head><body><div class="ydp5fb3yahoo-style-wrap"><div dir="ltr">Please cancel it.</div><div><br></div></div><div id="ydp1yahoo_quoted_4" class="ydp1yahoo_quoted"><div><div>On Monday, November 3, 2025 at 10:15:00 AM GMT-3, Andes Shop &lt;ventas@tienda.example&gt; wrote:</div>${htmlLines('en')}</div></div></body></html>`,
    }),
    expected: 'Please cancel it.',
    confidence: 'high',
  },
  {
    name: 'Yahoo Mail on Android, Spanish footer',
    raw: mime({
      subject: 'Re: Pedido 77',
      text: `Anulen el pedido por favor\n\nEnviado desde Yahoo Mail en Android\n\n  El lun., nov. 3, 2025 a la(s) 10:15, Tienda Andes<ventas@tienda.example> escribió:   ${plainLines('es')}\n`,
      html: `<div>Anulen el pedido por favor</div><br><div id="ymail_android_signature"><a href="https://more.att.com">Enviado desde Yahoo Mail en Android</a></div> <br> <blockquote style="margin: 0 0 20px 0;"> <div style="font-family:Roboto, sans-serif; color:#6D00F6;"> <div>El lun., nov. 3, 2025 a la(s) 10:15, Tienda Andes</div><div>&lt;ventas@tienda.example&gt; escribió:</div> </div> <div style="padding: 10px 0 0 20px;">${htmlLines('es')}</div></blockquote>`,
    }),
    expected: 'Anulen el pedido por favor',
    confidence: 'high',
  },
  {
    name: 'GMX, German',
    raw: mime({
      subject: 'Aw: Bestellung 77',
      html: `<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;"><div>Danke, passt.</div><div>&nbsp;</div><div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5; word-wrap: break-word;"><div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Montag, 03. November 2025 um 10:15 Uhr<br/><b>Von:</b>&nbsp;"Andes Shop" &lt;ventas@tienda.example&gt;<br/><b>An:</b>&nbsp;maria@example.net<br/><b>Betreff:</b>&nbsp;Bestellung 77</div>${htmlLines('de')}</div></div></body></html>`,
    }),
    expected: 'Danke, passt.',
    confidence: 'high',
  },
  {
    name: 'Web.de, plain text, German',
    raw: mime({
      subject: 'AW: Bestellung 77',
      charset: 'iso-8859-1',
      text: `Danke schön!\n\nGesendet mit der WEB.DE Mail App\n\nGesendet: Montag, 03. November 2025 um 10:15 Uhr\nVon: "Andes Shop" <ventas@tienda.example>\nAn: maria@example.net\nBetreff: Bestellung 77\n${plainLines('de')}\n`,
    }),
    expected: 'Danke schön!',
    confidence: 'high',
  },
  {
    name: 'Proton Mail',
    raw: mime({
      subject: 'Re: Order 77',
      text: `Received.\n\nSent with [Proton Mail](https://proton.me/mail/home) secure email.\n\nOn Monday, November 3rd, 2025 at 10:15 AM, Andes Shop <ventas@tienda.example> wrote:\n\n${quotedLines('en')}\n`,
      html: `<div style="font-family: Arial, sans-serif; font-size: 14px;">Received.</div><div class="protonmail_signature_block" style="font-family: Arial"><div class="protonmail_signature_block-proton">Sent with <a href="https://proton.me/mail/home">Proton Mail</a> secure email.</div></div><div class="protonmail_quote">On Monday, November 3rd, 2025 at 10:15 AM, Andes Shop &lt;ventas@tienda.example&gt; wrote:<br><blockquote class="protonmail_quote" type="cite">${htmlLines('en')}</blockquote></div>`,
    }),
    expected: 'Received.',
    confidence: 'high',
  },
  {
    name: 'K-9 Mail, German',
    raw: mime({
      subject: 'Re: Bestellung 77',
      text: `Alles gut.\n\nAm 3. November 2025 10:15:22 MEZ schrieb Andes Shop <ventas@tienda.example>:\n${quotedLines('de').replaceAll('> ', '>')}\n\n-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.\n`,
    }),
    expected: 'Alles gut.',
    confidence: 'high',
  },
  {
    name: 'Zoho Mail',
    raw: mime({
      subject: 'Re: Order 77',
      text: `Works now.\n\n\n\n\n\n\n---- On Mon, 03 Nov 2025 10:15:00 -0300 Andes Shop <ventas@tienda.example> wrote ---\n\n\n${plainLines('en')}\n`,
      html: `<div style="font-family: Verdana;"><div>Works now.</div><br><div class="zmail_extra_hr" style="border-top: 1px solid rgb(204, 204, 204);"></div><div class="zmail_extra" data-zbluepencil-ignore="true"><br><div id="Zm-_Id_-Sgn1">---- On Mon, 03 Nov 2025 10:15:00 -0300 <b>Andes Shop &lt;ventas@tienda.example&gt;</b> wrote ---<br></div><blockquote id="blockquote_zmail">${htmlLines('en')}</blockquote></div></div>`,
    }),
    expected: 'Works now.',
    confidence: 'high',
  },
  {
    name: 'a help desk, rule and header in Spanish',
    raw: mime({
      subject: 'RE: Pedido 77',
      text: `Se resolvió, muchas gracias.\n\n________________________________________\nDe: Tienda Andes [ventas@tienda.example]\nEnviado: lunes, 3 de noviembre de 2025 10:15\nPara: María\nAsunto: Pedido 77\n\n${plainLines('es')}\n`,
    }),
    expected: 'Se resolvió, muchas gracias.',
    confidence: 'high',
  },
  {
    name: 'marks without an attribution',
    raw: mime({
      subject: 'Re: Order 77',
      charset: 'us-ascii',
      encoding: '8bit',
      text: `Fine with me.\n\n${quotedLines('en')}\n`,
    }),
    expected: 'Fine with me.',
    confidence: 'medium',
  },
  {
    name: 'an answer to nothing: a new message',
    raw: mime({
      subject: 'Consulta',
      text: 'Buenas tardes:\n\n¿Tienen stock de la mesa grande?\nLa necesito para el 15:\nsi no, busco otra.\n\nMaría\n',
    }),
    expected:
      'Buenas tardes:\n\n¿Tienen stock de la mesa grande?\nLa necesito para el 15:\nsi no, busco otra.\n\nMaría',
    confidence: 'high',
  },
  {
    name: 'nothing but a quote is given whole',
    raw: mime({ subject: 'Re: Pedido 77', text: `${quotedLines('es')}\n` }),
    expected: quotedLines('es'),
    confidence: 'low',
  },
  {
    name: 'an empty message',
    raw: mime({ subject: 'Re: Pedido 77', text: '\n \n' }),
    expected: '',
    confidence: 'high',
  },
  {
    name: 'a telephone number in the text is not a signature',
    raw: mime({
      subject: 'Re: Pedido 77',
      text: 'Llámenme al +56 9 8765 4321 antes de las 15:00.\n\nO escriban a otra@example.net.\n',
    }),
    expected: 'Llámenme al +56 9 8765 4321 antes de las 15:00.\n\nO escriban a otra@example.net.',
    confidence: 'high',
  },
];
