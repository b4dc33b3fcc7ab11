import type { SendMail } from '../accept/index.ts';

/** A template by its identifier, which is a number, or by its alias. */
export function templateOf(
  idOrAlias: string | number,
  variables: Record<string, unknown> | undefined,
): Partial<SendMail> {
  const id = Number(idOrAlias);
  const given = variables === undefined ? {} : { template_variables: variables as never };
  return Number.isSafeInteger(id) && id > 0
    ? { template_id: id, ...given }
    : { template_alias: String(idOrAlias), ...given };
}
