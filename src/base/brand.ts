/** Colours, typeface and mark of everything that people see: the panel, hosted pages, the reference and our own mail. */
export interface Palette {
  paper: string;
  card: string;
  ink: string;
  soft: string;
  line: string;
  /** Of controls: 3 to 1 against card and paper at least. */
  edge: string;
  accent: string;
  on_accent: string;
  tint: string;
  alarm: string;
  alarm_tint: string;
}

/** Text keeps a contrast of 4.5 to 1 at least against what it stands on. */
export const light: Palette = {
  paper: '#f4f6f8',
  card: '#fff',
  ink: '#17202b',
  soft: '#55606f',
  line: '#dce1e7',
  edge: '#7a8594',
  accent: '#0b6b53',
  on_accent: '#fff',
  tint: '#e7f3ef',
  alarm: '#b3261e',
  alarm_tint: '#fceeed',
};

export const dark: Palette = {
  paper: '#0e1318',
  card: '#171e26',
  ink: '#e9edf2',
  soft: '#a8b3c0',
  line: '#2c3742',
  edge: '#7d8a99',
  accent: '#56c9a7',
  on_accent: '#05231a',
  tint: '#143029',
  alarm: '#ff9d94',
  alarm_tint: '#3a1d1b',
};

/** The accent from its palest to its deepest shade; 4 and 7 are the accents of dark and light. */
export const accentShades = [
  '#eaf6f2',
  '#d3ebe3',
  '#a4ddca',
  '#7bd3b8',
  dark.accent,
  '#2fae8a',
  '#17896a',
  light.accent,
  '#085644',
  '#053d30',
] as const;

export const systemFont = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** `--paper: #f4f6f8; …`, as a style sheet takes them. */
export function customProperties(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, value]) => `--${name.replace('_', '-')}: ${value};`)
    .join(' ');
}

/** A running figure on a square of 24, in strokes of the colour that surrounds it. */
export const markPaths = [
  'M15.6 2.9a2 2 0 1 1 0 4 2 2 0 0 1 0-4z',
  'M13.2 8.9 10.4 14l4.2 2.6-1.3 4.6',
  'M10.4 14l-2.3 3.4-4.6.4',
  'M7 12.1l1.7-3.3 4.5.1 2.8 3.1 3.7-.8',
] as const;

/** The mark on the accent, as a file of its own. */
export const markSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="${light.accent}"/><g transform="translate(2.6 2.4) scale(.8)" fill="none" stroke="#fff" stroke-width="2.3" stroke-linecap="round" stroke-linejoin="round">${markPaths.map((d) => `<path d="${d}"/>`).join('')}</g></svg>`;
