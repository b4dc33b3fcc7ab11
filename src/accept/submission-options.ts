import { nearestName } from '../base/http/nearest-name.ts';
import { categorySlug, isTagName, readSchedule, tagLimits, type Tags } from '../mails/index.ts';
import type { HeaderBlock } from '../protocol/mime/header-block.ts';
import type { Draft } from './draft.ts';
import { isLonger, malformed, readText, textOf } from './header-text.ts';

type Options = Pick<
  Draft,
  | 'category'
  | 'custom_msg_id'
  | 'custom_group_code'
  | 'tags'
  | 'test_mode'
  | 'recipients_visible'
  | 'tracking'
  | 'reply_token'
  | 'schedule_at'
>;

interface Times {
  now: Date;
  retention_months: number;
}

/** The options of a submitted message, each a header that is taken out before delivery. */
export function readOptions(header: HeaderBlock, times: Times): Options {
  refuseUnknown(header);
  const option = (name: string, most: number): string | null => readText(header, name, most) || null;
  const category = option('x-chq-category', 255);
  const slug = category === null ? null : categorySlug(category);
  if (slug === undefined) throw malformed('X-Chq-Category needs at least one letter or digit.');
  const visible = option('x-chq-recipients-visible', 10)?.toLowerCase();
  if (visible !== undefined && visible !== 'all' && visible !== 'self') {
    throw malformed('X-Chq-Recipients-Visible is all or self.');
  }
  return {
    recipients_visible: visible,
    tracking: {
      ...given('opens', trueOrFalse('X-Chq-Track-Opens', option('x-chq-track-opens', 10))),
      ...given('clicks', trueOrFalse('X-Chq-Track-Clicks', option('x-chq-track-clicks', 10))),
    },
    reply_token: readReplyToken(header, option('x-chq-reply-token', 10)),
    category: slug,
    custom_msg_id: option('x-chq-custom-msg-id', 254),
    custom_group_code: option('x-chq-custom-group-code', 254),
    tags: readTags(header),
    test_mode: trueOrFalse('X-Chq-Test-Mode', option('x-chq-test-mode', 10)) ?? false,
    schedule_at: scheduleOf(option('x-chq-schedule-at', 64), times),
  };
}

function readReplyToken({ fields }: HeaderBlock, value: string | null): boolean | undefined {
  const isAsked = trueOrFalse('X-Chq-Reply-Token', value);
  if (isAsked && fields.some(({ name }) => name === 'reply-to'))
    throw malformed('A mail has one Reply-To: leave out Reply-To or X-Chq-Reply-Token.');
  return isAsked;
}

/** Whether the message is refused when its template reads a variable that is not given. */
export function readStrictness(header: HeaderBlock): boolean | undefined {
  const value = readText(header, 'x-chq-strict-variables', 10) || null;
  return trueOrFalse('X-Chq-Strict-Variables', value);
}

/** `X-Chq-Tag: name=value`, once for each tag. */
function readTags({ fields }: HeaderBlock): Tags | null {
  const tagFields = fields.filter(({ name }) => name === repeatable);
  if (tagFields.length === 0) return null;
  if (tagFields.length > tagLimits.tags) throw malformed(`A message has at most ${tagLimits.tags} tags.`);
  const tags = new Map<string, string>();
  for (const field of tagFields) {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(textOf(field, longestTag)) ?? [];
    const [known, text] = [name.trim(), value.trim()];
    if (!isTagName(known)) throw malformed(malformedTag);
    if (isLonger(text, tagLimits.value))
      throw malformed(`The tag ${known} has more than ${tagLimits.value} characters.`);
    if (tags.has(known)) throw malformed(`The message has the tag ${known} twice.`);
    tags.set(known, text);
  }
  return Object.fromEntries(tags);
}

function scheduleOf(text: string | null, times: Times): Date | null {
  if (text === null) return null;
  const { schedule_at, violations } = readSchedule(text.trim(), times);
  const [violation] = violations;
  if (violation) throw malformed(`X-Chq-Schedule-At: ${violation.message}.`);
  return schedule_at;
}

const yes = /^(?:true|1|yes)$/i;
const no = /^(?:false|0|no)$/i;

/** What is neither would be taken for one of them: mail that was meant as a test would be sent to people as if it were not. */
function trueOrFalse(name: string, value: string | null): boolean | undefined {
  if (value === null) return undefined;
  if (yes.test(value)) return true;
  if (no.test(value)) return false;
  throw malformed(`${name} is true or false.`);
}

function given(event: 'opens' | 'clicks', value: boolean | undefined): Options['tracking'] {
  return value === undefined ? {} : { [event]: value };
}

/** What a submitted message says in another way: to ignore these would send something else than was asked for. */
const membersOfHttp = new Map([
  ['x-chq-sender-name', 'X-Chq-Sender-Name does nothing: From has the name.'],
  ['x-chq-reply-to', 'X-Chq-Reply-To does nothing: use Reply-To.'],
]);

const known = [
  'X-Chq-Category',
  'X-Chq-Custom-Msg-Id',
  'X-Chq-Custom-Group-Code',
  'X-Chq-Test-Mode',
  'X-Chq-Recipients-Visible',
  'X-Chq-Reply-Token',
  'X-Chq-Track-Opens',
  'X-Chq-Track-Clicks',
  'X-Chq-Idempotency-Key',
  'X-Chq-Schedule-At',
  'X-Chq-Tag',
  'X-Chq-Template-Alias',
  'X-Chq-Template-Id',
  'X-Chq-Template-Variables',
  'X-Chq-Strict-Variables',
];
/** May be there more than once. */
const repeatable = 'x-chq-tag';
const longestTag = 2 * (tagLimits.name + tagLimits.value);
const malformedTag = `X-Chq-Tag is name=value; a name has 1 to ${tagLimits.name} letters, digits, underscores, dots and hyphens.`;
const prefix = 'X-Chq-';
const knownLower = new Set(known.map((name) => name.toLowerCase()));

/** As in a send over HTTP, an unknown or repeated option is refused: the sender would believe that it had an effect. */
function refuseUnknown({ fields }: HeaderBlock): void {
  const seen = new Set<string>();
  for (const { name } of fields) {
    if (!name.startsWith('x-chq-')) continue;
    const message = membersOfHttp.get(name);
    if (message) throw malformed(message);
    if (!knownLower.has(name)) throw malformed(unknownOption(name));
    if (seen.has(name) && name !== repeatable) throw malformed(`The message has ${name} twice.`);
    seen.add(name);
  }
}

function unknownOption(name: string): string {
  const bare = (each: string): string => each.slice(prefix.length);
  const nearest = nearestName(bare(name), known.map(bare));
  return `There is no option ${name.slice(0, 80)}${nearest === undefined ? '.' : `; did you mean ${prefix}${nearest}?`}`;
}
