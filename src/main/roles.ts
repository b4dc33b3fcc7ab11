/** Roles of a process. By default one process has all; any role can run by itself on another node. */
export const roleNames = [
  'api',
  'web',
  'submission',
  'inbound',
  'delivery',
  'webhooks',
  'dns',
  'jobs',
] as const;
export type RoleName = (typeof roleNames)[number];

export function readRoles(text: string | undefined): RoleName[] {
  if (text === undefined) return [...roleNames];
  const wanted = text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const unknown = wanted.filter((name) => !(roleNames as readonly string[]).includes(name));
  if (unknown.length > 0 || wanted.length === 0) {
    throw new Error(`--roles takes a comma list of ${roleNames.join(', ')}; got '${text}'.`);
  }
  return [...new Set(wanted)] as RoleName[];
}
