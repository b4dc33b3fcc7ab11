const browsers: [RegExp, string][] = [
  [/\bEdg/, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
];
const systems: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];
const nameIn = (text: string, names: [RegExp, string][]): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** `Firefox · Linux`; what is not known is shown as it came. */
export function deviceOf(user_agent: string | null): string | undefined {
  if (!user_agent) return undefined;
  const known = [nameIn(user_agent, browsers), nameIn(user_agent, systems)].filter(Boolean);
  return known.length > 0 ? known.join(' · ') : user_agent.slice(0, 60);
}
