import { cutSignature } from './cut-signature.ts';

export type OptOutLanguage = 'es' | 'en' | 'pt' | 'de';

/** What the whole answer says, and in which language. */
export interface OptOut {
  words: string;
  language: OptOutLanguage;
}

/** Enough for a greeting, the request, thanks and a name. */
const longest = 300;

const list =
  '(?:(?:de|from|of|da|do|aus|von) )?(?:(?:la|su|tu|esta|this|your|the|sua|a|der|ihrer|diesem?|dem|den) )?';
const thing =
  '(?:lista|listas|base|base de datos|newsletter|boletin|boletines|suscripcion|correos?|list|mailing list|mailing|emails?|e mails?|mails?|verteiler|liste|mailingliste|lista de (?:correos?|emails?|e mails?)|inscricao|comunicacoes)';
const ofList = `(?: ${list}${thing})?`;

/**
 * Sentences, without accents and punctuation. Words that may answer another question are missing on purpose: "cancelar"
 * by itself may mean an appointment, "no" anything.
 */
const sentences: Record<OptOutLanguage, string> = {
  es: [
    `(?:(?:quiero|quisiera|deseo|solicito|pido|necesito|favor|me pueden|pueden) )?(?:(?:la )?baja|dar(?:me|nos)? de baja|de baja|dame de baja|denme de baja|den de baja|dese de baja|doy de baja)${ofList}(?: (?:este|mi) (?:correo|email|mail))?`,
    `(?:(?:quiero|quisiera|deseo|favor) )?(?:desuscribir(?:me|se)?|desinscribir(?:me)?|desuscribanme|desuscribir|desubscribir(?:me)?|anular suscripcion|cancelar (?:la |mi )?suscripcion|anular (?:la |mi )?suscripcion)${ofList}`,
    `(?:favor )?(?:eliminar(?:me)?|elimineme|eliminenme|borrar(?:me)?|borrenme|sacar(?:me)?|saquenme|quitar(?:me)?|quitenme|remover(?:me)?|retirar(?:me)?) ${list}${thing}`,
    '(?:ya )?no (?:quiero|deseo) (?:recibir )?(?:mas )?(?:sus |estos )?(?:correos?|emails?|mails?|mensajes|publicidad|informacion)(?: suyos| de ustedes)?',
    'no (?:me )?(?:envien?|manden?|escriban?|envies|mandes|escribas)(?: mas)?(?: (?:correos?|emails?|mails?|mensajes|publicidad))?(?: (?:por )?favor)?',
    'no mas (?:correos?|emails?|mails?|mensajes|publicidad)',
    'dejen? de (?:enviarme|mandarme|escribirme)(?: (?:correos?|emails?|mails?|mensajes|publicidad))?',
  ].join('|'),
  en: [
    `(?:(?:i (?:want|would like|wish) to|i d like to|can you|could you|kindly) )?(?:unsubscribe|unsubscribed|unsubcribe|un subscribe|opt out|optout|opt me out)(?: me| us| my (?:email|address))?${ofList}`,
    'stop|stop it|stop all|stopall',
    '(?:can you |could you )?stop (?:e ?mailing|sending|writing|contacting|spamming)(?: (?:to )?(?:me|us))?(?: (?:these |your |any )?(?:more )?(?:e ?mails?|mails?|messages))?(?: to me)?',
    `(?:can you |could you |kindly )?(?:remove|delete|take) (?:me|us|my (?:e ?mail|address|email address))(?: off)?(?: (?:from|off))?(?: (?:your|this|the) (?:mailing )?(?:list|lists|database))?`,
    '(?:i (?:do not|don t) want (?:to (?:receive|get) )?(?:any )?(?:more |these |your )*(?:e ?mails?|mails?|messages)(?: anymore| from you)?)',
    'no more (?:e ?mails?|mails?|messages)(?: from you)?',
  ].join('|'),
  pt: [
    `(?:(?:quero|gostaria de|desejo|favor|solicito) )?(?:(?:me )?descadastrar(?: me)?|descadastro|descadastre me|desinscrever(?: me)?|desinscreva me|cancelar (?:a |minha )?(?:inscricao|subscricao|assinatura)|anular (?:a )?subscricao)${ofList}`,
    'sair|parar|sair da lista|pare de (?:me )?(?:enviar|mandar)(?: (?:e ?mails?|mensagens))?',
    `(?:favor )?(?:(?:me )?(?:remover|retirar|remova|retire|retirem|removam)(?: me)?|remova me|retire me) ${list}${thing}`,
    '(?:eu )?nao (?:quero|desejo) (?:mais )?(?:receber )?(?:mais )?(?:(?:seus|estes|esses) )?(?:e ?mails?|mensagens|publicidade)',
    'nao (?:me )?(?:envie|enviem|mande|mandem)(?: mais)?(?: (?:e ?mails?|mensagens))?',
  ].join('|'),
  de: [
    '(?:(?:ich )?(?:moechte|mochte|will|wunsche) (?:mich )?)?(?:(?:mich )?(?:vom |von diesem )?(?:newsletter |verteiler )?)?(?:abmelden|abbestellen|austragen|abmeldung|abbestellung|abmelden lassen)(?: vom (?:newsletter|verteiler))?',
    '(?:newsletter|mails|e mails|werbung) (?:abbestellen|abmelden|kundigen)',
    '(?:tragen|nehmen|melden|streichen|loschen) sie mich(?: (?:aus|von|vom))?(?: (?:dem|der|diesem|ihrem|ihrer))?(?: (?:verteiler|newsletter|liste|mailingliste))?(?: (?:aus|ab|raus|heraus))?',
    'stopp',
    '(?:ich (?:mochte|will) )?keine (?:weiteren )?(?:e ?mails?|mails?|werbung|newsletter|nachrichten)(?: mehr)?(?: (?:von ihnen|erhalten|bekommen|senden|schicken))?',
  ].join('|'),
};

const politeness =
  /\b(?:hola|buen(?:os|as|) (?:dias?|tardes|noches)|estimad[oa]s?|senores|muchas gracias|gracias|por favor|porfavor|porfa|favor|saludos(?: cordiales)?|atte|atentamente|hi|hello|hey|dear (?:sirs?|team|all)|good (?:morning|afternoon|evening)|please|pls|plz|thank you|thanks|thx|regards|kind regards|best regards|ola|oi|bom dia|boa (?:tarde|noite)|por gentileza|obrigad[oa]|agradeco|abracos?|att|hallo|guten (?:tag|morgen|abend)|sehr geehrte damen und herren|bitte|danke|vielen dank|mit freundlichen grussen|mfg|viele grusse|lg)\b/g;

const patterns = Object.entries(sentences).map(
  ([language, sentence]) => [language as OptOutLanguage, new RegExp(`^(?:${sentence})$`)] as const,
);

/**
 * Recognises an answer that says nothing but that the person wants no more mail. A question ("¿cómo me doy de baja?"),
 * a sentence with more in it, or a word that may mean something else is left to people.
 */
export function readOptOut(reply: { text_reply: string; subject?: string | undefined }): OptOut | undefined {
  const { text_reply, subject = '' } = reply;
  const isEmpty = text_reply.trim() === '';
  const isAnswer = /^(?:re|aw|rv|fwd?|wg|antw)\s*:/i.test(subject.trim());
  const said = isEmpty && !isAnswer ? subject : text_reply;
  if (said.length > longest || said.includes('?')) return undefined;
  const lines = cutSignature(said.split('\n').map((line) => line.trim()));
  const written = lines.filter((line) => line !== '');
  return matchWords(written.join(' ')) ?? matchAboveName(written);
}

/** The request, and below it a name: the last line, of one to three words that begin with a capital. */
function matchAboveName(lines: readonly string[]): OptOut | undefined {
  const name = lines.at(-1) ?? '';
  if (lines.length < 2 || !/^\p{Lu}[\p{L}'’.-]*(?: \p{Lu}?[\p{L}'’.-]+){0,3}$/u.test(name)) return undefined;
  return matchWords(lines.slice(0, -1).join(' '));
}

function matchWords(text: string): OptOut | undefined {
  const words = plainWords(text);
  const found = words === '' ? undefined : patterns.find(([, pattern]) => pattern.test(words));
  return found && { words, language: found[0] };
}

/** In lower case, without accents, punctuation and polite words. */
function plainWords(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replaceAll(politeness, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
}
