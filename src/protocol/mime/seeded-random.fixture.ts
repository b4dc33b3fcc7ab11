/** The same numbers in [0, 1) for the same seed (mulberry32), so that a failing case can be run again. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const fragments = [
  'abc|XYZ09|<p class="a">|=|=3D|.|From |\t| |  |\0|\f|--|=?utf-8?q?x?=|"|\\|"quoted"',
  '\n|\r\n|\r| \n|\t\r\n|.\n',
  'ñ|é|e\u0301|Ж|語|日本語のテキスト|🙂|👩‍👩‍👧|\ud83d|\u00a0|\u2028|\u0085',
].flatMap((group) => group.split('|'));

/** A text made of fragments that are hard on encoders, leaning towards some of them. */
export function awkwardText(random: () => number, longest: number): string {
  const pick = (from: string[]): string => from[Math.floor(random() * from.length)] ?? '';
  const favourites = Array.from({ length: 4 }, () => pick(fragments));
  const length = Math.floor(random() * longest);
  let text = '';
  while (text.length < length) {
    const fragment = pick(random() < 0.7 ? favourites : fragments);
    text += fragment.repeat(random() < 0.1 ? 1 + Math.floor(random() * 200) : 1);
  }
  return text;
}

/** The same without what cannot stand in a header. */
export function awkwardHeaderText(random: () => number, longest: number): string {
  return awkwardText(random, longest).replaceAll(/[\p{Cc}--[\t\u0080-\u009f]]/gv, '');
}
