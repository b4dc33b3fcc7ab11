/** Colours are `#rgb` or `#rrggbb`. */
type Channels = [red: number, green: number, blue: number];

function channelsOf(colour: string): Channels {
  const digits = colour.slice(1);
  const pairs = digits.length === 3 ? digits.split('').map((digit) => digit + digit) : digits.match(/../g);
  const [red = 0, green = 0, blue = 0] = (pairs ?? []).map((pair) => Number.parseInt(pair, 16));
  return [red, green, blue];
}

/** Relative luminance (WCAG 2.2). */
function luminanceOf(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 to 21. Text needs 4.5 (WCAG 2.2 §1.4.3), the edges of controls 3 (§1.4.11). */
export function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Black or white, whichever has more contrast: 4.58 at least. */
export function readableOn(colour: string): string {
  return luminanceOf(colour) > 0.179 ? '#000' : '#fff';
}

/** The colour, or the nearest on its way to black or white that has the contrast. */
export function withContrast(colour: string, behind: string, ratio: number): string {
  if (contrastOf(colour, behind) >= ratio) return colour;
  const target = channelsOf(readableOn(behind));
  const channels = channelsOf(colour);
  for (let step = 1; step <= 20; step += 1) {
    const mixed = channels.map((channel, index) =>
      Math.round(channel + (((target[index] ?? 0) - channel) * step) / 20),
    );
    const found = `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
    if (contrastOf(found, behind) >= ratio) return found;
  }
  return readableOn(behind);
}
