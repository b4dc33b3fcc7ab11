/** What each case should reach, beside its figure in the results. Empty where there is no target. */
const targets: Record<string, string> = {
  'accept: HTTP, 1 recipient': '0.70 of bare, 2.5 × postfix, p99 60 ms',
  'accept: SMTP submission, sessions reused': '0.70 of bare, 2.4 × postfix',
  'accept: SMTP submission, new session each': '0.60 of bare, 1.5 × postfix',
  'deliver: free-small': '0.50 of bare, 2.2 × both',
  'deliver: small': '6 × postfix, 2.8 × Haraka',
  'deliver: free-rich': '900 µs own process',
  'deliver: free-large': '1000 µs own process',
  'deliver: large': '1.00 × postfix',
  'track: Chasqui': '0.60 of bare',
  'http-overhead: Chasqui, empty operation': '2.00 × bare',
  'http-overhead: Chasqui, GET /v1/fields': '3.00 × bare',
  'activity: no filter': 'p99 50 ms',
  'activity: no filter, page 100': '',
  'activity: subject, a common word': 'p99 100 ms',
  'activity: opens by message, page 100': 'p99 100 ms',
  'activity: export as CSV': '0.55 of COPY, 50 MB',
  'activity: export as JSON': '0.50 of COPY, 50 MB',
  'batch: batches of 100': '3.00 × single, own process',
  'schedule: 1000000': '1.1 × none',
  'rights: archive': '60 s, 100 MB',
};

/** Of the case whose name begins like this; the longest beginning counts. */
export function targetOf(benchmark: string, name: string): string {
  const [key] = Object.keys(targets)
    .filter((each) => `${benchmark}: ${name}`.startsWith(each))
    .toSorted((a, b) => b.length - a.length);
  return key === undefined ? '' : (targets[key] ?? '');
}
