import { hostname } from 'node:os';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Queryable } from '../db/database.ts';
import type { Log } from '../log.ts';
import type { Node } from './node.ts';

interface NodeMetricsOptions {
  registry: Registry;
  db: Queryable;
  log: Log;
  node: Node;
}

/** Who this node is, and how it and the others are. */
export function watchNode({ registry, db, log, node }: NodeMetricsOptions): void {
  const registers = [registry];
  const info = new Gauge({
    name: 'chasqui_node_info',
    help: 'Always 1; the labels say which node this is.',
    labelNames: ['node', 'host', 'version', 'roles'],
    registers,
  });
  info.set({ node: node.id, host: hostname(), version: node.version, roles: node.roles.join(',') }, 1);
  const heartbeat = new Gauge({
    name: 'chasqui_node_heartbeat_age_seconds',
    help: 'Time since the last heartbeat of this node that the database took.',
    registers,
    collect() {
      heartbeat.set(node.heartbeatAgeMs() / 1000);
    },
  });
  const released = new Counter({
    name: 'chasqui_leases_released_total',
    help: 'Leases that this node released, of dead nodes and of claims whose answer was lost.',
    registers,
    collect() {
      released.reset();
      released.inc(node.leases_released);
    },
  });
  const nodes = new Gauge({
    name: 'chasqui_nodes',
    help: 'Running nodes of the installation, by version.',
    labelNames: ['version'],
    registers,
    async collect() {
      try {
        const rows = await db.query<{ version: string; count: number }>(
          'select version, count(*) as count from nodes group by version',
        );
        nodes.reset();
        for (const { version, count } of rows) nodes.set({ version }, count);
      } catch (error) {
        log.warn({ err: error }, 'could not read the table of nodes');
      }
    },
  });
}
