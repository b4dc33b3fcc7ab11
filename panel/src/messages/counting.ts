/** The forms that a language has of a word; which it takes is decided by `Intl.PluralRules`. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** How a language counts. Each language has its own `counting.ts`, with as many forms as its words have. */
export function countingIn(language: string) {
  const rules = new Intl.PluralRules(language);
  const digits = new Intl.NumberFormat(language);
  const plural = (count: number, forms: Forms): string => forms[rules.select(count)] ?? forms.other;
  const number = (value: number): string => digits.format(value);
  return {
    number,
    plural,
    counted: (count: number, forms: Forms): string => `${number(count)} ${plural(count, forms)}`,
  };
}
