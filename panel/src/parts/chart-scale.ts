/** Round numbers from zero to the highest value or just above it, about four of them; counts have no fractions. */
export function ticksUpTo(highest: number): number[] {
  const rough = Math.max(highest, 4) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10) * power);
  const count = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: count + 1 }, (_each, index) => index * step);
}

/** Which of the points have a label, so that labels do not touch: the last one, and others at equal distances. */
export function labelled(count: number, most: number): (index: number) => boolean {
  const every = Math.max(1, Math.ceil(count / Math.max(1, most)));
  return (index) => (count - 1 - index) % every === 0;
}
