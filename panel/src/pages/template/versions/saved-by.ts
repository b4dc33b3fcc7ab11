import type { TemplateVersion } from '../../../api/operations.ts';

/** The address of the person who saved a version, or what else saved it. */
export function savedBy(
  { actor_kind, actor_email }: TemplateVersion,
  names: Record<TemplateVersion['actor_kind'], string>,
): string {
  return actor_email ?? names[actor_kind];
}
