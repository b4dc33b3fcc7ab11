/** PHP writes an empty map as an empty list. Takes such members of a body for absent. */
export function dropEmptyLists(given: unknown, names: readonly string[]): void {
  if (typeof given !== 'object' || given === null) return;
  const members = given as Record<string, unknown>;
  for (const name of names) {
    const value = members[name];
    if (Array.isArray(value) && value.length === 0) delete members[name];
  }
}
