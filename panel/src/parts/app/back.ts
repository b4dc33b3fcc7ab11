const key = 'chasqui-back';

/** Where a person came from: a place of the panel and never another site. */
export function placeOf(back: string | undefined): string {
  return back !== undefined && /^\/(?![/\\])/.test(back) ? back : '/';
}

/** For while the browser is at the provider of a sign-in. It never leaves this tab. */
export function keepBack(back: string | undefined): void {
  if (back === undefined) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, back);
}

export function takeBack(): string | undefined {
  const back = sessionStorage.getItem(key) ?? undefined;
  sessionStorage.removeItem(key);
  return back;
}
