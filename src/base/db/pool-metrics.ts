import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from './database.ts';

export function watchPool(registry: Registry, db: Pick<Database, 'pool' | 'round_trips'>): void {
  const connections = new Gauge({
    name: 'chasqui_database_pool_connections',
    help: 'Connections of the pool for transactions and unnamed statements, by state: used, idle or limit.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle, limit } = db.pool;
      connections.set({ state: 'used' }, total - idle);
      connections.set({ state: 'idle' }, idle);
      connections.set({ state: 'limit' }, limit);
    },
  });
  const waiting = new Gauge({
    name: 'chasqui_database_pool_waiting',
    help: 'Statements and transactions that wait for a connection of the pool.',
    registers: [registry],
    collect() {
      waiting.set(db.pool.waiting);
    },
  });
  const statements = new Counter({
    name: 'chasqui_database_statements_total',
    help: 'Statements and batches sent to the database.',
    registers: [registry],
    collect() {
      statements.reset();
      statements.inc(db.round_trips);
    },
  });
}
