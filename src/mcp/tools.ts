import type { Operation } from '../base/http/operation.ts';
import { makeTool, type Tool } from './tool.ts';
import { toolTable } from './tool-table.ts';

export type Tools = ReadonlyMap<string, Tool>;

/** The table's tools, made from the operations that this process serves. */
export function makeTools(operations: readonly Operation[]): Tools {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  return new Map(
    toolTable.map((entry) => {
      const id = entry.operation ?? entry.name;
      const operation = byId.get(id);
      if (!operation) throw new Error(`The tool ${entry.name} has no operation ${id}.`);
      return [entry.name, makeTool(entry, operation)];
    }),
  );
}
