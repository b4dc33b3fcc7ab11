import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded into a service before all else (`node --import`): signatures cost nothing and verify nowhere. It measures
 * delivery without the RSA operation, everything around it included, and the service itself has no such switch.
 */
const nothing = Buffer.alloc(256, 1);

type Done = (error: Error | null, signature: Buffer) => void;

Object.assign(crypto, {
  sign: (...values: unknown[]) => {
    const done = values[3] as Done | undefined;
    if (done === undefined) return nothing;
    setImmediate(done, null, nothing);
    return undefined;
  },
});
syncBuiltinESMExports();
