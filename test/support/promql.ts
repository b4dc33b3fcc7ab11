export interface Selector {
  metric: string;
  /** Those it selects by, and those that the whole expression groups by. */
  labels: string[];
}

/** Words of PromQL that look like a metric. */
const words = new Set([
  'by',
  'on',
  'and',
  'or',
  'vector',
  'time',
  'sum',
  'max',
  'count',
  'rate',
  'increase',
  'topk',
]);

/** The metrics that a PromQL expression reads. For tests: enough of the grammar for our own rules and dashboard. */
export function selectorsOf(expression: string): Selector[] {
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(/,\s*/),
  );
  const bare = expression.replaceAll(/\b(?:by|on) \([^)]*\)/g, '');
  const names = [...bare.matchAll(/\b([a-z]+(?:_[a-z0-9]+)*)\b(?!\()(?:\{([^}]*)\})?/g)];
  return names
    .filter(([text, name = '']) => !words.has(name) && (name.includes('_') || text.includes('{')))
    .filter(({ index }) => !isInsideBraces(bare, index))
    .map(([, metric = '', matchers = '']) => ({
      metric,
      labels: [
        ...new Set([
          ...grouped,
          ...[...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, name = '']) => name),
        ]),
      ],
    }));
}

function isInsideBraces(text: string, at: number): boolean {
  return text.lastIndexOf('{', at) > text.lastIndexOf('}', at);
}
