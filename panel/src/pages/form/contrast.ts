import { dark, light } from '../../../../src/base/brand.ts';
import { contrastOf, readableOn, withContrast } from '../../../../src/base/colour-contrast.ts';

export interface ContrastCheck {
  name: 'button' | 'light' | 'dark' | 'terms';
  ratio: number;
  needed: number;
  front: string;
  back: string;
  /** The nearest colour that passes, where this one does not. */
  better?: string;
  /** It is shown in another colour, which passes. */
  adjusted?: string;
}

const isColour = (value: string | null | undefined): value is string =>
  /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value ?? '');

/** How the colours of a form can be read: words at 4.5 to 1 (WCAG 2.2 §1.4.3), controls at 3 (§1.4.11). */
export function contrastChecks(colours: {
  primary_color?: string | null;
  secondary_color?: string | null;
}): ContrastCheck[] {
  const checks: ContrastCheck[] = [];
  const { primary_color: primary, secondary_color: secondary } = colours;
  if (isColour(primary)) {
    const words = readableOn(primary);
    checks.push({
      name: 'button',
      ratio: contrastOf(primary, words),
      needed: 4.5,
      front: words,
      back: primary,
    });
    const onLight = contrastOf(primary, light.card);
    const better = withContrast(primary, light.card, 3);
    checks.push({
      name: 'light',
      ratio: onLight,
      needed: 3,
      front: primary,
      back: light.card,
      ...(better === primary ? {} : { better }),
    });
    const atNight = withContrast(primary, dark.card, 3);
    checks.push({
      name: 'dark',
      ratio: contrastOf(atNight, dark.card),
      needed: 3,
      front: atNight,
      back: dark.card,
      ...(atNight === primary ? {} : { adjusted: atNight }),
    });
  }
  if (isColour(secondary)) {
    const words = readableOn(secondary);
    checks.push({
      name: 'terms',
      ratio: contrastOf(secondary, words),
      needed: 4.5,
      front: words,
      back: secondary,
    });
  }
  return checks;
}
