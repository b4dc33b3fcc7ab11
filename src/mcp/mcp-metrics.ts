import { Counter, type Registry } from 'prom-client';

/** Calls of tools by how they ended: `ok`, or the code of the problem. */
export function countCalls(registry: Registry): (tool: string, outcome: string) => void {
  const calls = new Counter({
    name: 'chasqui_mcp_calls_total',
    help: 'Calls of MCP tools, by their outcome: ok, or the code of the problem.',
    labelNames: ['tool', 'outcome'],
    registers: [registry],
  });
  return (tool, outcome) => calls.inc({ tool, outcome });
}
