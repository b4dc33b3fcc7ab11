import {
  asHtml,
  htmlLines,
  mime,
  plainLines,
  type Language,
  type ReplySample,
} from './corpus-mime.fixture.ts';

const headers = {
  es: ['De:', 'Enviado el:', 'Para:', 'Asunto:'],
  en: ['From:', 'Sent:', 'To:', 'Subject:'],
  de: ['Von:', 'Gesendet:', 'An:', 'Betreff:'],
  pt: ['De:', 'Enviada em:', 'Para:', 'Assunto:'],
  fr: ['De :', 'Envoyé :', 'À :', 'Objet :'],
} as const;
const originals = {
  es: '-----Mensaje original-----',
  en: '-----Original Message-----',
  de: '-----Ursprüngliche Nachricht-----',
  pt: '-----Mensagem original-----',
  fr: "-----Message d'origine-----",
} as const;
const dates = {
  es: 'lunes, 3 de noviembre de 2025 10:15',
  en: 'Monday, November 3, 2025 10:15 AM',
  de: 'Montag, 3. November 2025 10:15',
  pt: 'segunda-feira, 3 de novembro de 2025 10:15',
  fr: 'lundi 3 novembre 2025 10:15',
} as const;

function headerLines(language: Language): string[] {
  const [from, sent, to, subject] = headers[language];
  return [
    `${from} Tienda Andes <ventas@tienda.example>`,
    `${sent} ${dates[language]}`,
    `${to} María <maria@example.net>`,
    `${subject} Pedido 77`,
  ];
}

const escape = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const headerHtml = (language: Language): string =>
  headerLines(language)
    .map((line) => {
      const colon = line.indexOf(':') + 1;
      return `<b>${line.slice(0, colon)}</b>${escape(line.slice(colon))}`;
    })
    .join('<br>');

interface Typed {
  typed: string;
  expected?: string;
  charset?: 'utf-8' | 'iso-8859-1';
  has_image?: boolean;
}

/** Outlook for Windows: HTML of Word, and text with a header between blank lines. */
function desktop(name: string, language: Language, { typed, expected = typed, ...rest }: Typed): ReplySample {
  const paragraphs = typed
    .split('\n')
    .map(
      (line) =>
        `<p class="MsoNormal">${line === '' ? '<o:p>&nbsp;</o:p>' : `<span style='font-size:11.0pt'>${line}<o:p></o:p></span>`}</p>`,
    )
    .join('');
  const html = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm;} --></style></head><body lang="ES-CL"><div class="WordSection1">${paragraphs}<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class="MsoNormal">${headerHtml(language)}<o:p></o:p></p></div></div>${htmlLines(language)}</div></body></html>`;
  const text = `${typed}\n\n${headerLines(language).join('\n')}\n\n${plainLines(language)}\n`;
  const raw = mime({ subject: 'RE: Pedido 77', mailer: 'Microsoft Outlook 16.0', text, html, ...rest });
  return { name, raw, expected, confidence: 'high' };
}

/** Outlook on the web and the new Outlook: a rule above the header. */
function web(name: string, language: Language, { typed, expected = typed }: Typed): ReplySample {
  const html = `<html><head><style type="text/css" style="display:none;"> P {margin-top:0;margin-bottom:0;} </style></head><body dir="ltr"><div class="elementToProof">${asHtml(typed)}</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt">${headerHtml(language)}</font><div>&nbsp;</div></div>${htmlLines(language)}</body></html>`;
  const text = `${typed}\n${'_'.repeat(32)}\n${headerLines(language).join('\n')}\n\n${plainLines(language)}\n`;
  return { name, raw: mime({ subject: 'RE: Pedido 77', text, html }), expected, confidence: 'high' };
}

/** Plain text, as Outlook quotes it when the mail it answers was plain. */
function plain(
  name: string,
  language: Language,
  { typed, expected = typed, charset = 'iso-8859-1' }: Typed,
): ReplySample {
  const text = `${typed}\n\n${originals[language]}\n${headerLines(language).join('\n')}\n\n${plainLines(language)}\n`;
  return {
    name,
    raw: mime({ subject: 'RE: Pedido 77', text, charset, encoding: '8bit' }),
    expected,
    confidence: 'high',
  };
}

const disclaimers = {
  es: 'Este mensaje y sus archivos adjuntos son confidenciales y para uso exclusivo de su destinatario. Si lo ha recibido por error, bórrelo y avise al remitente.',
  en: 'CONFIDENTIALITY NOTICE: This email and any attachments are confidential and intended only for the recipient. If you received it in error, please delete it.',
  de: 'Diese E-Mail enthält vertrauliche Informationen und ist nur für den genannten Empfänger bestimmt. Sollten Sie sie irrtümlich erhalten haben, löschen Sie sie bitte.',
  pt: 'Esta mensagem é confidencial e destina-se exclusivamente ao destinatário. Se a recebeu por engano, apague-a.',
} as const;

export const outlookSamples: ReplySample[] = [
  desktop('Outlook for Windows, Spanish', 'es', {
    typed: 'Estimados:\n\nFalta la factura del pedido.\n\nSaludos,\nMaría',
  }),
  desktop('Outlook for Windows, English', 'en', {
    typed: 'Hi,\n\nPlease change the delivery to Friday.\n\nRegards,\nMary',
  }),
  desktop('Outlook for Windows, German', 'de', {
    typed: 'Guten Tag,\n\nbitte senden Sie die Rechnung.\n\nMit freundlichen Grüßen\nMaria',
  }),
  desktop('Outlook for Windows, Portuguese', 'pt', { typed: 'Bom dia,\n\nPodem confirmar a entrega?' }),
  desktop('Outlook for Windows, French', 'fr', { typed: 'Bonjour,\n\nMerci pour la confirmation.' }),
  desktop('Outlook for Windows, block with telephone and logo', 'es', {
    typed:
      'Confirmo la recepción.\n\nSaludos cordiales,\n\nMaría Soto Pérez\nJefa de Adquisiciones\nConstructora Sur SpA\nTel.: +56 2 2345 6789\nwww.sur.example',
    expected: 'Confirmo la recepción.\n\nSaludos cordiales,\n\nMaría Soto Pérez',
    has_image: true,
  }),
  desktop('Outlook for Windows, Spanish disclaimer', 'es', {
    typed: `De acuerdo, esperamos el lunes.\n\n${disclaimers.es}`,
    expected: 'De acuerdo, esperamos el lunes.',
    charset: 'iso-8859-1',
  }),
  desktop('Outlook for Windows, English disclaimer', 'en', {
    typed: `Agreed.\n\nKind regards,\nMary\n\n${disclaimers.en}`,
    expected: 'Agreed.\n\nKind regards,\nMary',
  }),
  desktop('Outlook for Windows, German disclaimer', 'de', {
    typed: `Einverstanden.\n\n${disclaimers.de}`,
    expected: 'Einverstanden.',
  }),
  web('Outlook on the web, Spanish', 'es', { typed: 'Gracias, quedó todo claro.' }),
  web('Outlook on the web, English', 'en', { typed: 'Could you resend the invoice?\n\nThank you' }),
  web('Outlook on the web, German', 'de', { typed: 'Die Lieferung ist angekommen.\n\nBeste Grüße' }),
  web('Outlook on the web, Portuguese disclaimer', 'pt', {
    typed: `Recebido, obrigada.\n\n${disclaimers.pt}`,
    expected: 'Recebido, obrigada.',
  }),
  web('Outlook on the web, a person writes From: and To: themselves', 'en', {
    typed: 'From: Valdivia\nTo: Osorno\n\nThat is the route I meant.',
  }),
  plain('Outlook, plain text, Spanish', 'es', { typed: 'Sí, confirmo.' }),
  plain('Outlook, plain text, English', 'en', { typed: 'Yes, confirmed.' }),
  plain('Outlook, plain text, German', 'de', { typed: 'Ja, bestätigt.\n\nGrüße' }),
  plain('Outlook, plain text, Portuguese', 'pt', { typed: 'Sim, confirmo.' }),
  plain('Outlook, plain text, French', 'fr', { typed: 'Oui, je confirme.' }),
  {
    name: 'Outlook, HTML only, in a language without labels of ours',
    raw: mime({
      subject: 'VS: Order 77',
      html: `<html><body><div class="WordSection1"><p class="MsoNormal">Kiitos, kaikki kunnossa.</p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>Lähettäjä:</b> Andes Shop<br><b>Lähetetty:</b> maanantai 3. marraskuuta 2025<br><b>Vastaanottaja:</b> Maria</p></div></div>${htmlLines('en')}</div></body></html>`,
    }),
    expected: 'Kiitos, kaikki kunnossa.',
    confidence: 'medium',
  },
  {
    name: 'Outlook for phones, Spanish footer',
    raw: mime({
      subject: 'RE: Pedido 77',
      text: `Voy en camino.\n\nObtener Outlook para iOS<https://aka.ms/o0ukef>\n${'_'.repeat(32)}\n${headerLines('es').join('\n')}\n\n${plainLines('es')}\n`,
      html: `<html><body><div dir="auto">Voy en camino.</div><div id="ms-outlook-mobile-signature" dir="auto"><div><br></div>Obtener <a href="https://aka.ms/o0ukef">Outlook para iOS</a></div><div id="mail-editor-reference-message-container" class="ms-outlook-mobile-reference-message"><hr style="display: inline-block; width: 98%"><div id="divRplyFwdMsg" dir="auto">${headerHtml('es')}<br></div>${htmlLines('es')}</div></body></html>`,
    }),
    expected: 'Voy en camino.',
    confidence: 'high',
  },
  {
    name: 'Outlook for phones, English footer',
    raw: mime({
      subject: 'RE: Order 77',
      text: `On my way.\n\nGet Outlook for Android<https://aka.ms/AAb9ysg>\n${'_'.repeat(32)}\n${headerLines('en').join('\n')}\n\n${plainLines('en')}\n`,
    }),
    expected: 'On my way.',
    confidence: 'high',
  },
  {
    name: 'Outlook for Mac, header in bold',
    raw: mime({
      subject: 'Re: Order 77',
      text: `That is right.\n\n*From: *Andes Shop <ventas@tienda.example>\n*Date: *Monday, November 3, 2025 at 10:15\n*To: *Mary <maria@example.net>\n*Subject: *Order 77\n\n${plainLines('en')}\n`,
      html: `<html><body><div class="WordSection1"><p class="MsoNormal">That is right.</p><div id="mail-editor-reference-message-container"><div style="border:none;border-top:solid #B5C4DF 1.0pt;padding:3.0pt 0in 0in 0in"><p class="MsoNormal"><b>From: </b>Andes Shop</p></div>${htmlLines('en')}</div></div></body></html>`,
    }),
    expected: 'That is right.',
    confidence: 'high',
  },
  {
    name: 'Outlook, a forward with a comment',
    raw: mime({
      subject: 'RV: Pedido 77',
      text: `¿Pueden revisar esto?\n\n${headerLines('es').join('\n')}\n\n${plainLines('es')}\n`,
    }),
    expected: '¿Pueden revisar esto?',
    confidence: 'medium',
  },
];
