/** The members that have a value. A loop: the functions over entries take ten times as long. */
export function present(members: object): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    const value = (members as Record<string, unknown>)[name];
    if (value !== undefined && value !== null) kept[name] = value;
  }
  return kept;
}
