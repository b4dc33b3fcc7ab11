import {
  createTheme,
  defaultVariantColorsResolver,
  mergeThemeOverrides,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';
import { accentShades, dark, light, systemFont } from '../../../src/base/brand.ts';

const tuple = (shades: readonly string[]): MantineColorsTuple => shades as unknown as MantineColorsTuple;

/** Quiet greys around the brand's: text, edges and lines are those of the hosted pages. */
const gray = tuple([
  '#f8f9fb',
  light.paper,
  '#e9edf1',
  light.line,
  '#c6ced7',
  '#99a4b1',
  light.soft,
  '#414c5a',
  '#2a3440',
  light.ink,
]);

const night = tuple([
  dark.ink,
  '#c7cfd9',
  dark.soft,
  dark.edge,
  '#364350',
  dark.line,
  '#1e2730',
  dark.card,
  '#12181e',
  dark.paper,
]);

const red = tuple([
  light.alarm_tint,
  '#f9d6d3',
  '#f4b1ac',
  '#f0928a',
  dark.alarm,
  '#d6453b',
  '#c4362c',
  light.alarm,
  '#8f1c16',
  '#6b130f',
]);

const onFilled: Record<string, string | undefined> = {
  green: 'var(--panel-on-accent)',
  red: 'var(--panel-on-alarm)',
};

/** What stands on a filled control is light or dark with the theme, as the brand has it. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  if (input.variant !== 'filled') return colors;
  const on = onFilled[input.color ?? 'green'];
  return on === undefined ? colors : { ...colors, color: on };
};

const theme = createTheme({
  primaryColor: 'green',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  variantColorResolver,
  colors: { green: tuple(accentShades), red, gray, dark: night },
  black: light.ink,
  fontFamily: `'Inter Variable', ${systemFont}`,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '620', sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' } } },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300, multiline: true, maw: 320 } },
    Modal: { defaultProps: { centered: true, radius: 'lg', overlayProps: { backgroundOpacity: 0.45 } } },
    // The page has a banner of its own on a phone.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    Menu: { defaultProps: { shadow: 'md', withinPortal: true } },
    Select: { defaultProps: { allowDeselect: false, comboboxProps: { shadow: 'md' } } },
    Paper: { defaultProps: { radius: 'lg' } },
  },
});

/** The crosses that close dialogs and messages have a name in the reader's language. */
export function themeWith(close: string) {
  const CloseButton = { defaultProps: { 'aria-label': close } };
  return mergeThemeOverrides(theme, { components: { CloseButton } });
}

/** Placeholders and hints keep 4.5 to 1, which Mantine's own do not. */
export const resolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': light.card,
    '--panel-on-accent': light.on_accent,
    '--panel-on-alarm': '#fff',
    '--mantine-color-dimmed': light.soft,
    '--mantine-color-placeholder': '#667180',
    '--mantine-color-error': light.alarm,
    '--mantine-color-default-border': '#cdd4dc',
    '--panel-line': light.line,
    '--panel-rail': '#f8f9fb',
    '--panel-hover': '#f4f6f8',
    '--panel-accent': light.accent,
    '--panel-tint': light.tint,
    '--panel-alarm': light.alarm,
    '--panel-alarm-tint': light.alarm_tint,
    '--panel-warn': '#8a5300',
    '--panel-warn-tint': '#fdf1dc',
    '--panel-info': '#1f5fae',
    '--panel-info-tint': '#e8f0fb',
  },
  dark: {
    '--mantine-color-body': dark.paper,
    '--mantine-primary-color-contrast': dark.on_accent,
    '--panel-on-accent': dark.on_accent,
    '--panel-on-alarm': '#2b0805',
    '--mantine-color-dimmed': dark.soft,
    '--mantine-color-placeholder': '#8b97a5',
    '--mantine-color-error': dark.alarm,
    '--mantine-color-default-border': '#364350',
    '--panel-line': '#232d37',
    '--panel-rail': '#0b0f13',
    '--panel-hover': '#151c23',
    '--panel-accent': dark.accent,
    '--panel-tint': dark.tint,
    '--panel-alarm': dark.alarm,
    '--panel-alarm-tint': dark.alarm_tint,
    '--panel-warn': '#f2bd6b',
    '--panel-warn-tint': '#33260f',
    '--panel-info': '#8cbcf5',
    '--panel-info-tint': '#14253a',
  },
});
