import { escapeHtml } from '../../base/http/html.ts';
import type { HostedPage } from '../../base/http/hosted-page.ts';
import type { Language } from '../../base/http/preferred-language.ts';

const texts = {
  es: {
    title: (instance: string) => `Tus datos en ${instance}`,
    ask: 'Para descargar la copia de tus datos necesitas un código. Lo enviamos por correo a la dirección de tu solicitud.',
    send: 'Enviarme el código',
    sent: 'Te enviamos un código de ocho dígitos. Vale 15 minutos y sirve para una descarga.',
    code: 'Código',
    download: 'Descargar mis datos',
    again: 'Enviarme otro código',
    wrong: 'El código no es correcto o ya no vale. Después de cinco intentos hay que pedir otro.',
    expired: {
      title: 'Este enlace ya no es válido',
      text: 'Los enlaces valen 14 días. Pide otra copia en la página de solicitudes.',
    },
    busy: { title: 'Ahora no', text: 'Hubo demasiados intentos. Inténtalo de nuevo más tarde.' },
  },
  en: {
    title: (instance: string) => `Your data at ${instance}`,
    ask: 'To download the copy of your data you need a code. We mail it to the address of your request.',
    send: 'Mail me the code',
    sent: 'We mailed you a code of eight digits. It works for 15 minutes and for one download.',
    code: 'Code',
    download: 'Download my data',
    again: 'Mail me another code',
    wrong: 'The code is not right or no longer works. After five attempts you need another one.',
    expired: {
      title: 'This link is no longer valid',
      text: 'Links are valid for 14 days. Ask for another copy on the request page.',
    },
    busy: { title: 'Not right now', text: 'There were too many attempts. Please try again later.' },
  },
} satisfies Record<Language, object>;

export const archiveTexts = texts;

const extra_style = `
input[name=code] { display: block; width: 100%; min-height: 3rem; margin: .5rem 0 0; padding: .6rem .75rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--edge); border-radius: .625rem; letter-spacing: .15em; }`;

/** Asks for the code, once one was mailed; before, offers to mail it. */
export function archivePage(
  lang: Language,
  instance: { name: string },
  { hasCode, isWrong = false }: { hasCode: boolean; isWrong?: boolean },
): HostedPage {
  const words = texts[lang];
  const title = words.title(instance.name);
  const alarm = isWrong ? `<p class="alarm" role="alert" id="wrong">${escapeHtml(words.wrong)}</p>\n` : '';
  const send = (label: string, quiet = '') =>
    `<form method="post"><button${quiet} name="action" value="send">${escapeHtml(label)}</button></form>`;
  const enter = `<p role="status">${escapeHtml(words.sent)}</p>
<form method="post">
<label for="code">${escapeHtml(words.code)}</label>
<input id="code" name="code" required inputmode="numeric" autocomplete="one-time-code" maxlength="12"${isWrong ? ' aria-invalid="true" aria-describedby="wrong"' : ''}>
<button name="action" value="open">${escapeHtml(words.download)}</button>
</form>
${send(words.again, ' class="quiet"')}`;
  const main = hasCode ? enter : `<p>${escapeHtml(words.ask)}</p>\n${send(words.send)}`;
  return { lang, title, extra_style, main: `<h1>${escapeHtml(title)}</h1>\n${alarm}${main}` };
}
