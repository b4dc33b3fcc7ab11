import { spawnSync } from 'node:child_process';

export interface ParsedMessage {
  headers: [name: string, value: string][];
  /** Of headers the parser knows as lists of mailboxes. */
  addresses: Record<string, { name: string; address: string }[]>;
  parts: ParsedPart[];
  defects: string[];
}
export interface ParsedPart {
  type: string;
  charset: string | null;
  disposition: string | null;
  filename: string | null;
  /** Base64 of the decoded content. */
  content: string;
}

// Another implementation of the same RFCs; policy.strict raises on a defect in the structure. Names of mailboxes are
// read by its older functions: the newer ones, before Python 3.13, keep the blanks between encoded words.
const program = `
import sys, json, base64, email, email.policy, email.utils, email.header
def part(p):
    return dict(type=p.get_content_type(), charset=p.get_param('charset'), disposition=p.get_content_disposition(),
        filename=p.get_filename(),
        content=base64.b64encode(p.get_payload(decode=True)).decode())
def mailboxes(value):
    pairs = email.utils.getaddresses([value.replace('\\r\\n', '')])
    return [dict(name=str(email.header.make_header(email.header.decode_header(n))), address=a) for n, a in pairs]
def parse(given):
    raw = base64.b64decode(given)
    old = email.message_from_bytes(raw)
    m = email.message_from_bytes(raw, policy=email.policy.strict)
    every = [h for p in m.walk() for h in p.values()]
    return dict(headers=[(k, str(v)) for k, v in m.items()],
        addresses={k: mailboxes(old[k]) for k in ['From', 'To', 'Cc', 'Reply-To'] if k in old},
        parts=[part(p) for p in m.walk() if not p.is_multipart()],
        defects=[repr(d) for h in every for d in h.defects] + [repr(d) for p in m.walk() for d in p.defects])
print(json.dumps([parse(given) for given in json.load(sys.stdin)]))
`;

/** For the `skip` option of a test: false, or why there is nothing to parse with. */
export function whyNoPython(): string | false {
  const { status } = spawnSync('python3', ['-c', 'import email.policy'], { stdio: 'ignore' });
  return status === 0 ? false : 'python3 is not installed: nothing to parse with';
}

/** What Python's `email` package reads in these messages. */
export function parseWithPython(messages: Buffer[]): ParsedMessage[] {
  const input = JSON.stringify(messages.map((message) => message.toString('base64')));
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program], { input, maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`python3 could not parse: ${stderr.toString()}`);
  return JSON.parse(stdout.toString()) as ParsedMessage[];
}
