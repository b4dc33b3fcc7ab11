import crypto, { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}
type Callback = (error: Error | null, publicKey?: unknown, privateKey?: unknown) => void;

const count = 8;
const file = process.env['CHASQUI_TEST_KEYS'];
let isHandingOut = true;
if (file !== undefined) handOut(file);

/** For tests of how long keys take: from now on this process generates them. */
export function generateKeys(): void {
  isHandingOut = false;
}

/** The file of keys: made once, since to generate them takes two seconds of a processor. */
export async function keptKeys(): Promise<string> {
  const kept = path.resolve(import.meta.dirname, '../../node_modules/.cache/chasqui-test/keys.json');
  if (existsSync(kept)) return kept;
  mkdirSync(path.dirname(kept), { recursive: true });
  const written = `${kept}.${process.pid}`;
  writeFileSync(written, await prepareKeys(), { mode: 0o600 });
  renameSync(written, kept);
  return kept;
}

async function prepareKeys(): Promise<string> {
  const pairs = await Promise.all(
    Array.from(
      { length: count },
      async () => await promisify(generateKeyPair)('rsa', { modulusLength: 2048 }),
    ),
  );
  return JSON.stringify(pairs.map(({ privateKey }) => privateKey.export({ format: 'pem', type: 'pkcs8' })));
}

/**
 * Preloaded into the processes of tests. To generate an RSA-2048 key takes a quarter of a second of a processor, and the
 * tests ask for hundreds: here they get real ones in turn, which the runner generated once. Commands that tests run, and
 * keys of another size or encoding, are generated.
 */
function handOut(from: string): void {
  let pairs: KeyPair[] | undefined;
  let given = 0;
  const next = (): KeyPair => {
    pairs ??= (JSON.parse(readFileSync(from, 'utf8')) as string[]).map((pem) => ({
      privateKey: createPrivateKey(pem),
      publicKey: createPublicKey(pem),
    }));
    given += 1;
    return pairs[given % pairs.length] as KeyPair;
  };
  const isPrepared = (type: string, options: object): boolean =>
    isHandingOut && type === 'rsa' && JSON.stringify(options) === '{"modulusLength":2048}';
  const { generateKeyPair: generate, generateKeyPairSync: generateSync } = crypto as unknown as {
    generateKeyPair: (type: string, options: object, callback: Callback) => void;
    generateKeyPairSync: (type: string, options: object) => unknown;
  };
  const generateAsync = promisify(generateKeyPair) as (type: string, options: object) => Promise<unknown>;
  const replaced = Object.assign(
    (type: string, options: object, callback: Callback): void => {
      if (!isPrepared(type, options)) return generate(type, options, callback);
      const { publicKey, privateKey } = next();
      setImmediate(callback, null, publicKey, privateKey);
    },
    {
      [promisify.custom]: async (type: string, options: object): Promise<unknown> =>
        isPrepared(type, options) ? next() : await generateAsync(type, options),
    },
  );
  Object.assign(crypto, {
    generateKeyPair: replaced,
    generateKeyPairSync: (type: string, options: object): unknown =>
      isPrepared(type, options) ? next() : generateSync(type, options),
  });
  syncBuiltinESMExports();
}
