/** Languages that pages for people are written in; the first is for those who read neither. */
export const languages = ['en', 'es'] as const;
export type Language = (typeof languages)[number];

const maxHeaderLength = 1_000;

/**
 * The language of ours that a reader wants most, by the weights of Accept-Language (RFC 9110 §12.5.4). `es-CL` asks for
 * `es`; of equal weights the first wins; weight 0 means never.
 */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  let best: Language | undefined;
  let bestWeight = 0;
  for (const range of (acceptLanguage ?? '').slice(0, maxHeaderLength).split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const language = languages.find((each) => tag === each || tag.startsWith(`${each}-`));
    const weight = weightOf(parameters);
    if (!language || !(weight > bestWeight)) continue;
    best = language;
    bestWeight = weight;
  }
  return best ?? languages[0];
}

function weightOf(parameters: string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return given === undefined ? 1 : Number(/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(given)?.[0]);
}
