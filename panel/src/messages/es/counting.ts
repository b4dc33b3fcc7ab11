import { countingIn } from '../counting.ts';

const spanish = countingIn('es');

/** `1 correo`, `40 correos`. */
export const counted = (count: number, one: string, other: string): string =>
  spanish.counted(count, { one, other });

/** Lo que concuerda con un número que está en otra parte. */
export const plural = (count: number, one: string, other: string): string =>
  spanish.plural(count, { one, other });

export const { number } = spanish;
