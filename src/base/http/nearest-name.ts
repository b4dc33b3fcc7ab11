/** Longer than any name there is: what cannot be near one is not compared. */
const maxCompared = 64;

/** What other services and people call ours, and no edit leads to. The first that is known is meant. */
const aliases: Record<string, string[]> = {
  from: ['sender_email', 'start_date'],
  fromemail: ['sender_email'],
  sender: ['sender_email', 'sender_id'],
  fromname: ['sender_name'],
  recipients: ['to'],
  toemail: ['to', 'recipient'],
  to: ['recipient', 'end_date'],
  email: ['recipient'],
  body: ['html'],
  content: ['html'],
  htmlbody: ['html'],
  htmlcontent: ['html'],
  message: ['html'],
  plain: ['text'],
  textbody: ['text'],
  plaintext: ['text'],
  template: ['template_id'],
  templatename: ['template_alias'],
  variables: ['template_variables'],
  templatedata: ['template_variables'],
  dynamictemplatedata: ['template_variables'],
  substitutions: ['template_variables'],
  files: ['attachments'],
  messageid: ['msg_id', 'custom_msg_id'],
  campaign: ['custom_group_code'],
  tag: ['tags'],
  labels: ['tags'],
  metadata: ['tags'],
  test: ['test_mode'],
  sandbox: ['test_mode'],
  since: ['start_date'],
  until: ['end_date'],
  limit: ['page_size'],
  perpage: ['page_size'],
};

/**
 * The known name that is meant: by another name that it is known by, or by at most one edit in three letters, in either case
 * and whatever joins its words. Undefined where nothing is near: a hint that is wrong sends people the wrong way.
 */
export function nearestName(given: string, known: string[]): string | undefined {
  if (given.length > maxCompared) return undefined;
  const text = bare(given);
  const alias = Object.hasOwn(aliases, text)
    ? aliases[text]?.find((name) => known.includes(name))
    : undefined;
  const [nearest] = known
    .map((name) => ({ name, edits: editDistance(text, bare(name)) }))
    .toSorted((a, b) => a.edits - b.edits);
  if (nearest && nearest.edits === 0) return nearest.name;
  return alias ?? (nearest && nearest.edits * 3 <= text.length ? nearest.name : undefined);
}

/** `customMsgId` and `custom-msg-id` are `custom_msg_id`. */
function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** Optimal string alignment, row by row: a letter that is added, left out or replaced, or two that are swapped. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 0; row < a.length; row += 1) {
    const current = [row + 1];
    for (let column = 0; column < b.length; column += 1) {
      const replaced = (above[column] ?? 0) + (a[row] === b[column] ? 0 : 1);
      const isSwapped = row > 0 && column > 0 && a[row] === b[column - 1] && a[row - 1] === b[column];
      const swapped = isSwapped ? (before[column - 1] ?? 0) + 1 : Infinity;
      current.push(Math.min(replaced, swapped, (above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    before = above;
    above = current;
  }
  return above[b.length] ?? 0;
}
