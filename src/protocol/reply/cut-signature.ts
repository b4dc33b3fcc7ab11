import { marks } from './mark-quotes.ts';

const delimiter = /^(?:--|—|––?|-- -)$/;
const mobileFooter =
  /^[ *_[(]{0,4}(?:sent from (?:my )?(?:(?:an? )?(?:i(?:phone|pad)|galaxy|samsung|android|huawei|xiaomi|blackberry|mobile|phone|mail\b|yahoo|outlook|proton|mailbird|windows|workspace)|.{1,30} (?:phone|smartphone|device|mobile))|sent with \[?proton|get outlook for|download outlook|enviado (?:desde|do) (?:mi|meu|el|o|un|outlook|yahoo|proton|gmail|samsung|correo)|enviado a través d|enviado mediante|enviad[oa] pel[oa]|obt(?:ener|enga|én) outlook|obter o outlook|descargar outlook|von meinem .{1,40} (?:gesendet|geschickt)|gesendet (?:von|mit) (?:meine[mr]|der|outlook|yahoo|proton|web\.de|gmx)|diese nachricht wurde von meinem .{1,40} gesendet|holen sie sich outlook|outlook f[üu]r (?:ios|android|mac)|envoyé (?:de|depuis) (?:mon|ma|yahoo|outlook)|obtenir outlook|inviato da|verzonden (?:van|vanaf) mijn|sendt fra min|skickat från min)/iu;
/** Any program or device, as the last line only. */
const lastFooter =
  /^(?:sent (?:from|via|with)|enviado (?:desde|do|com|con|por)|gesendet (?:von|mit)|envoyé (?:de|depuis|avec|à partir d)|inviato (?:da|con)|verzonden (?:van|met)) ?.{2,120}$/iu;
const listFooter = /\bmailing list\b|\bunsubscribe from this group\b|\bto unsubscribe\b.{0,80}\blist\b/i;
const rule = /^[-_*=]{3,}$/;
const disclaimerStart =
  /^[ *_=-]{0,10}(?:confidential(?:ity)?(?: notice)?|disclaimer|legal notice|important notice|notice:|this (?:e-?mail|message|communication|transmission)|the (?:information|contents?) (?:contained )?(?:in|of) this|aviso (?:legal|de confidencialidad|de confidencialidade)|nota (?:de confidencialidad|legal)|confidencial|este (?:correo|mensaje|e-?mail|mail)|esta (?:mensagem|comunicaci[óo]n|transmisi[óo]n)|la informaci[óo]n (?:contenida|de este)|a informa[çc][ãa]o contida|el contenido de este|antes de imprimir|please consider the environment|piensa antes de imprimir|diese (?:e-?mail|nachricht|mitteilung)|der inhalt dieser|vertraulich|hinweis:|haftungsausschluss|bitte denken sie an die umwelt|ce (?:message|courriel))/iu;
const disclaimerWords =
  /confiden[ct]ial|privileged|privilegiad|intended (?:only|solely|recipient)|destinat[aá]ri|addressee|uso exclusivo|vertraulich|bestimmt|empf[äa]nger|confidencia(?:l|lidad|is)|imprimir|environment|umwelt|antes de imprimir|confidentiel/iu;
const closing =
  /^[ *_]{0,3}(?:(?:muchos )?saludos(?: cordiales| a todos)?|un (?:cordial |afectuoso )?(?:saludo|abrazo)|atentamente|atte|cordialmente|(?:muchas |mil )?gracias(?: y saludos)?|(?:best|kind|warm|with best)(?: regards| wishes)?|regards|(?:many )?thanks(?: and regards)?|thank you|cheers|(?:yours )?sincerely|(?:yours )?faithfully|(?:mit )?(?:freundlichen?|besten?|vielen?|herzlichen?|liebe[nr]?) gr[üu](?:ß|ss)en?|mfg|lg|vg|(?:vielen )?dank|atenciosamente|att|abra[çc]os?|cumprimentos|obrigad[oa]|(?:bien )?cordialement)[ ,.!*_]{0,4}$/iu;
const contact =
  /(?:\+?\(?\d[\d ()./-]{6,}\d)|\bwww\.|https?:\/\/|[^\s@]{1,64}@[^\s@]{2,}\.|^(?:tel|fono|tel[ée]fono|telefon|mobil|m[óo]vil|cel|cell|celular|phone|mobile|fax|t|m|p|f)\b ?[.:]/iu;

const longestContactBlock = 14;
const longestContactLine = 120;

/** One run of lines that a person wrote, without the signature, footer and disclaimer at its end. */
export function cutSignature(lines: readonly string[]): string[] {
  const delimited = lines.findIndex((line) => delimiter.test(line) || line.startsWith(marks.signature));
  let kept = trim(delimited === -1 ? lines : lines.slice(0, delimited));
  kept = trim(cutFooter(kept));
  kept = trim(cutDisclaimer(kept));
  // A footer may stand above the disclaimer.
  kept = trim(cutFooter(kept));
  return trim(cutContact(kept));
}

/** From the footer on, unless so much stands below it that it is a person's text. */
function cutFooter(lines: readonly string[]): readonly string[] {
  const at = lines.findIndex((line, index) => isFooter(lines, index, line));
  if (at === -1) return lines;
  const below = lines.slice(at + 1).filter((line) => line !== '').length;
  return below <= 4 ? lines.slice(0, at) : lines.toSpliced(at, 1);
}

function isFooter(lines: readonly string[], at: number, line: string): boolean {
  if (line.length > 160) return false;
  if (mobileFooter.test(line) || (at > 0 && at === lines.length - 1 && lastFooter.test(line))) return true;
  return (
    at > 0 && rule.test(line) && lines.length - at <= 5 && listFooter.test(lines.slice(at + 1).join(' '))
  );
}

function cutDisclaimer(lines: readonly string[]): readonly string[] {
  for (let at = 1; at < lines.length; at += 1) {
    // Begins a paragraph, or stands below a line of dashes.
    if (lines[at - 1] !== '' && !rule.test(lines[at - 1] ?? '')) continue;
    const paragraph = lines.slice(at, at + 6).join(' ');
    if (!disclaimerStart.test(paragraph) || !disclaimerWords.test(paragraph)) continue;
    return rule.test(lines[at - 1] ?? '') ? lines.slice(0, at - 1) : lines.slice(0, at);
  }
  return lines;
}

/** Below a closing the name stays, and what says how to reach it goes. */
function cutContact(lines: readonly string[]): readonly string[] {
  const at = lines.findLastIndex((line) => line.length < 60 && closing.test(line));
  if (at === -1) return cutContactParagraph(lines);
  const below = lines.slice(at + 1);
  if (!isContactBlock(below)) return lines;
  const name = below.findIndex((line) => line !== '');
  return lines.slice(0, at + 1 + (contact.test(below[name] ?? '') ? 0 : name + 1));
}

/** The last paragraph, when two of its lines or more say how to reach a person. */
function cutContactParagraph(lines: readonly string[]): readonly string[] {
  const blank = lines.lastIndexOf('');
  if (blank < 1) return lines;
  const paragraph = lines.slice(blank + 1);
  const contacts = paragraph.filter((line) => contact.test(line)).length;
  return paragraph.length >= 3 && contacts >= 2 && isContactBlock(paragraph) ? lines.slice(0, blank) : lines;
}

function isContactBlock(lines: readonly string[]): boolean {
  const texts = lines.filter((line) => line !== '');
  return (
    texts.length > 0 &&
    texts.length <= longestContactBlock &&
    texts.every((line) => line.length <= longestContactLine) &&
    texts.some((line) => contact.test(line))
  );
}

export function trim(lines: readonly string[]): string[] {
  const start = lines.findIndex((line) => line !== '');
  return start === -1 ? [] : lines.slice(start, lines.findLastIndex((line) => line !== '') + 1);
}
