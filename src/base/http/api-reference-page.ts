import { accentShades, dark, light } from '../brand.ts';

/** Greys and colours of the package that have less than 4.5 to 1 against what they stand on (WCAG 2.2 §1.4.3). */
export const referenceCss = `
.light-mode { --scalar-color-1: ${light.ink}; --scalar-color-2: ${light.soft}; --scalar-color-3: #5d6876;
  --scalar-color-accent: ${light.accent}; --scalar-color-green: ${accentShades[8]}; --scalar-color-blue: #075a94;
  --scalar-color-red: ${light.alarm}; --scalar-color-orange: #8a4500; --scalar-color-yellow: #6f5300; --scalar-color-purple: #6b2fa8; }
.dark-mode { --scalar-color-2: ${dark.soft}; --scalar-color-3: #a0a9b4; --scalar-color-accent: ${dark.accent}; }`;

/**
 * Names what the package leaves without a name, and takes away names that say something else than what is shown. It
 * builds its page piece by piece, so this runs after each.
 */
const naming = `
(function () {
  function mend() {
    document.querySelectorAll('button[class*=copy-button]:not([aria-label])').forEach(function (button) {
      button.setAttribute('aria-label', 'Copy');
    });
    document.querySelectorAll('button.show-more[aria-label]').forEach(function (button) {
      button.removeAttribute('aria-label');
    });
    document.querySelectorAll('[role=combobox][contenteditable]:not([aria-label])').forEach(function (input) {
      input.setAttribute('aria-label', input.dataset.placeholder || 'Value');
      input.setAttribute('aria-expanded', 'false');
      input.setAttribute('aria-controls', 'none');
    });
    document.querySelectorAll('.scalar-card[role=region]').forEach(function (card) {
      ['role', 'aria-label', 'aria-labelledby'].forEach(function (name) { card.removeAttribute(name); });
    });
  }
  new MutationObserver(mend).observe(document.documentElement, { childList: true, subtree: true });
})();
`;

/** The page of the package, with a language and with names for everything. */
export function accessibleReference(html: string): string {
  return html
    .replace(/<html(?![^>]*\blang=)/, '<html lang="en"')
    .replace('</head>', `<script>${naming}</script></head>`);
}
