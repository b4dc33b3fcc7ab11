import { decodeWords } from '../mime/decode-words.ts';
import { fieldOf, type Field } from '../mime/read-fields.ts';

/** How programs that answer for an absent person title it, in the languages their makers ship. */
const subjects = [
  /^(?:auto(?:matic|mated|matisch)?[ -]?(?:reply|response|responder|antwort|svar)|auto:)/i,
  /\bout of (?:the )?office\b|\bon (?:vacation|holiday|leave)\b|\baway from (?:the |my )?(?:office|mail)/i,
  /^(?:respuesta|r[ée]ponse|resposta|risposta) autom[aá]ti[cq]u?[ae]?|\bfuera de (?:la )?oficina\b|\bde vacaciones\b/i,
  /\babwesenheits?(?:notiz|benachrichtigung|assistent)?\b|\bautomatische antwort\b|\bnicht im b[üu]ro\b/i,
  /\babsen(?:ce|t) du bureau\b|\bafwezig(?:heid)?\b|\bfuori ufficio\b|\bfora do escrit[óo]rio\b|^自动回复|^自動応答/i,
];

export function subjectOf(fields: readonly Field[]): string {
  return decodeWords(fieldOf(fields, 'subject') ?? '').slice(0, 1_000);
}

/** Whether the subject by itself says that this is an auto-reply. */
export function isTitledAutoReply(fields: readonly Field[]): boolean {
  const subject = subjectOf(fields);
  return subjects.some((pattern) => pattern.test(subject));
}

/** Whether a program answered in a person's place (RFC 3834 §5, and what was in use before it). */
export function isAnswer(fields: readonly Field[]): boolean {
  return (
    isTitledAutoReply(fields) ||
    /^auto-replied\b/i.test(fieldOf(fields, 'auto-submitted') ?? '') ||
    /^auto_reply$/i.test(fieldOf(fields, 'precedence') ?? '') ||
    fields.some(({ name }) => /^x-(?:autoreply|autorespond|auto-reply|autoreply-from|vacation)$/.test(name))
  );
}

/** Whether a program wrote it, whatever for. */
export function isAutoReply(fields: readonly Field[]): boolean {
  const submitted = fieldOf(fields, 'auto-submitted') ?? 'no';
  const precedence = fieldOf(fields, 'precedence') ?? '';
  return isAnswer(fields) || !/^no\b/i.test(submitted) || /^(?:bulk|junk|list)$/i.test(precedence);
}
