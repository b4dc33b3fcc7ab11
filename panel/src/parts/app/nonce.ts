/** The nonce that this page's style elements carry; it is hidden from selectors, not from scripts. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
