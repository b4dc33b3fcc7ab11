/** Words by which mail programs introduce what they quote, in the languages that their makers ship. */

/** `X wrote:` of an attribution line. */
export const wroteVerb =
  /\b(?:wrote|writes|sent|escribi[óo]|escribe|schrieb|schreibt|escreveu|a [ée]crit|[ée]crit|ha scritto|scrive|schreef|skrev|napisał(?:\(a\))?|napsal(?:\(a\))?|kirjoitti)(?![\p{L}\p{N}])|пишет|написал|写道|のメール|작성:/iu;

/** How an attribution line begins. */
export const attributionOpening =
  /^(?:on|el|la|am|em|le|il|op|den|d\.|på|w dniu|dnia|dne|in data|in a message dated|ha|no dia|\d{4}[-/年])(?![\p{L}\p{N}])/iu;

/** A year or a time of day: `2025`, `10:15`, `10.15`, `10h15`. */
export const dateOrTime = /(?<!\d)(?:(?:19|20)\d\d|\d{1,2}[:.h]\d\d)(?!\d)/;

export const address = /[^\s@<>()]{1,64}@[^\s@<>()]{1,255}/;

/** A date, or a day and a date, and at its end an address and a colon: some programs leave the verb out. */
export const datedAddress = /^(?:\p{L}{1,12}[.,]{0,2} )?\d.{6,300}@[^\s<>]{1,255}>:$/u;

export type HeaderLabel = 'from' | 'sent' | 'to' | 'subject';

const labels: Record<HeaderLabel, string> = {
  from: 'from|de|von|da|van|från|fra|od|remitente|от|发件人|差出人|보낸 사람',
  sent: 'sent|date|enviado(?: el| em)?|enviada(?: em)?|fecha|data|gesendet(?: am)?|datum|envoyé(?: le)?|inviato|verzonden|skickat|sendt|wysłano|дата|发送时间|日期|送信日時|보낸 날짜',
  to: 'to|para|an|à|a|aan|till|til|do|кому|收件人|宛先|받는 사람',
  subject:
    'subject|asunto|assunto|betreff|betrifft|objet|oggetto|onderwerp|ämne|emne|temat|тема|主题|件名|제목',
};

const labelPatterns = Object.entries(labels).map(
  ([label, words]) =>
    [label as HeaderLabel, new RegExp(`^[ \\t*_]{0,4}(?:${words})[ *_]{0,3}[:：]`, 'iu')] as const,
);

/** Which field of a quoted header the line shows. */
export function headerLabelOf(line: string): HeaderLabel | undefined {
  const start = line.slice(0, 40);
  return labelPatterns.find(([, pattern]) => pattern.test(start))?.[0];
}

/** `-----Original Message-----`, with the number of dashes that the program likes. */
const originalMessage =
  /^[ \t]{0,8}[-_=]{2,40} ?(?:original message|reply message|mensaje original|mensagem original|ursprüngliche (?:nachricht|mail|e-mail)|original-?nachricht|message d['’]origine|messaggio originale|oorspronkelijk bericht|original e-?mail|on .{10,200} wrote) ?[-_=]{2,40}$/iu;

const forwardedMessage =
  /^[ \t*]{0,8}(?:[-_=]{2,40} ?(?:forwarded (?:message|by .{1,80})|mensaje reenviado|mensagem encaminhada|weitergeleitete (?:nachricht|e-?mail)|message transféré|messaggio inoltrato|doorgestuurd bericht) ?[-_=]{0,40}|begin forwarded message:?|inicio del mensaje reenviado:?|anfang der weitergeleiteten (?:nachricht|e-?mail):?|início da mensagem (?:encaminhada|reencaminhada):?|début du message (?:transféré|réexpédié) ?:?)[ \t*]{0,4}$/iu;

const rule = /^[ \t]{0,4}(?:_{5,}|-{10,}|={10,})$/;

export type Separator = 'original' | 'forwarded' | 'rule';

/** What a line separates; a rule by itself separates anything. */
export function separatorOf(line: string): Separator | undefined {
  if (line.length > 240) return undefined;
  if (originalMessage.test(line)) return 'original';
  if (forwardedMessage.test(line)) return 'forwarded';
  return rule.test(line) ? 'rule' : undefined;
}

/** `FW:` and what other languages have in its place. */
export const forwardSubject = /^(?:fwd?|rv|wg|wtr|enc|tr|i|reenv|vb|vs|doorst)[ \t]*:/i;
