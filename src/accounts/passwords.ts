/** argon2id with the second recommendation of RFC 9106 scaled to a server: 19 MiB, two passes. */
const settings = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  return await hash(password, settings);
}

export async function passwordMatches(password: string, passwordHash: string): Promise<boolean> {
  const { verify } = await import('@node-rs/argon2');
  return await verify(passwordHash, password);
}
