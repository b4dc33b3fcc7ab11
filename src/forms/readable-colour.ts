/** Black or white, whichever has more contrast (WCAG 2.2, relative luminance). */
export function readableOn(colour: string): string {
  const digits = colour.slice(1);
  const pairs = digits.length === 3 ? digits.split('').map((digit) => digit + digit) : digits.match(/../g);
  const [red = 0, green = 0, blue = 0] = (pairs ?? [])
    .map((pair) => Number.parseInt(pair, 16) / 255)
    .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
}
