import type { Command } from '../command.ts';
import { openRootSecret, requireSameSecret } from '../root-secret.ts';
import { withStore } from './with-store.ts';

interface Finding {
  check: string;
  ok: boolean;
  detail: string;
}

async function examine(check: string, look: () => Promise<string>): Promise<Finding> {
  try {
    return { check, ok: true, detail: await look() };
  } catch (error) {
    return { check, ok: false, detail: (error as Error).message };
  }
}

export const doctor: Command = {
  name: 'doctor',
  arguments: '',
  summary: 'Examines configuration, database, schema and secret, and says what is wrong.',
  options: {},
  example: 'chasqui doctor',
  async run({ env }) {
    const findings = await withStore(env, async (db, { config, store }) => [
      await examine(
        'configuration',
        async () => `base URL ${config.base_url}, platform domain ${config.platform_domain}`,
      ),
      await examine('database', async () => {
        const [row] = await db.query<{ version: string }>(
          "select current_setting('server_version') as version",
        );
        return `${store.description}, version ${row?.version}`;
      }),
      await examine('schema', async () => {
        const [row] = await db.query<{ count: number }>('select count(*) from schema_migrations');
        return `${row?.count} migrations, none pending`;
      }),
      await examine('root secret', async () => {
        await requireSameSecret(db, await openRootSecret(config));
        return 'matches the one this database was set up with';
      }),
    ]);
    const text = findings.map(
      ({ check, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'}  ${check.padEnd(14)} ${detail}`,
    );
    if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
    return { text: text.join('\n'), json: { ok: findings.every(({ ok }) => ok), findings } };
  },
};
