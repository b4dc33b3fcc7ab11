import { answerParent } from './answer-parent.ts';

type Task =
  | { kind: 'echo'; value: unknown }
  | { kind: 'pid' }
  | { kind: 'spin'; ms: number }
  | { kind: 'fill' }
  | { kind: 'linger' }
  | { kind: 'throw' };

/** Uses so much processor time, however much of it the machine has to give. */
function spin(ms: number): string {
  const used = (): number => process.cpuUsage().user + process.cpuUsage().system;
  const before = used();
  while (used() - before < ms * 1_000);
  return 'done';
}

/** What a heap of any size cannot hold, all at once: a thread would take its process with it. */
function fill(): number {
  const large: number[][] = [];
  for (;;) large.push(Array.from({ length: 4_000_000 }, (_, index) => index + 0.5));
}

answerParent((task: Task): unknown => {
  if (task.kind === 'echo') return task.value;
  if (task.kind === 'pid') return process.pid;
  if (task.kind === 'spin') return spin(task.ms);
  if (task.kind === 'fill') return fill();
  if (task.kind === 'linger') return void setInterval(() => undefined, 1_000);
  throw new Error('a mistake of the process');
});
