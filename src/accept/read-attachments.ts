import type { Violation } from '../base/errors/problem.ts';
import { decodeBase64 } from '../protocol/base64.ts';
import { isContentId } from '../protocol/mime/attachment-part.ts';
import { isMediaType } from '../protocol/mime/media-type.ts';
import type { Attachment } from '../protocol/mime/outgoing-message.ts';
import type { RawAttachment } from './raw-send-body.ts';
import { hasControls, noControls } from './recipients.ts';
import { sendLimits } from './send-schema.ts';

/** Attachments of the JSON body, decoded, followed by multipart files. */
export function readAttachments(
  given: RawAttachment[],
  files: Attachment[],
): { attachments: Attachment[]; violations: Violation[] } {
  const violations: Violation[] = [];
  const decoded = given.map(({ type = '', content = '', filename = '', ...shown }, index): Attachment => {
    const bytes = decodeBase64(content);
    // The schema reports an empty one.
    if (!bytes && content !== '') {
      const message = 'The content of an attachment is strict base64';
      violations.push({ pointer: `/attachments/${index}/content`, code: 'value_error.base64', message });
    }
    const { content_id = null, disposition = null } = shown;
    return { type, filename, content: bytes ?? Buffer.alloc(0), content_id, disposition };
  });
  for (const [index, file] of files.entries()) {
    violations.push(...validateFile(file, `/attachments/${decoded.length + index}`));
  }
  const attachments = [...decoded, ...files];
  for (const [index, each] of attachments.entries())
    violations.push(...validateEach(each, `/attachments/${index}`));
  return {
    attachments,
    violations: [...violations, ...validateContentIds(attachments), ...validateAll(attachments)],
  };
}

/** The schema rules of JSON attachments, for multipart files. */
function validateFile({ filename, content }: Attachment, pointer: string): Violation[] {
  const short = { code: 'string_too_short', params: { min_length: 1 } };
  const violations: Violation[] = [];
  if (filename === '') {
    violations.push({ ...short, pointer: `${pointer}/filename`, message: 'An attachment needs a filename' });
  }
  if (Array.from(filename).length > sendLimits.filename) {
    const message = `String should have at most ${sendLimits.filename} characters`;
    const params = { max_length: sendLimits.filename };
    violations.push({ pointer: `${pointer}/filename`, code: 'string_too_long', message, params });
  }
  if (content.length === 0) {
    violations.push({ ...short, pointer: `${pointer}/content`, message: 'An attachment must not be empty' });
  }
  return violations;
}

function validateEach({ type, filename }: Attachment, pointer: string): Violation[] {
  const violations: Violation[] = [];
  if (type !== '' && !isMediaType(type)) {
    const message = 'The type of an attachment has the form type/subtype';
    violations.push({ pointer: `${pointer}/type`, code: 'value_error.media_type', message });
  }
  if (hasControls(filename)) violations.push(noControls(`${pointer}/filename`));
  return violations;
}

/** The schema reports an empty one. */
function validateContentIds(attachments: Attachment[]): Violation[] {
  const ids = attachments.map(({ content_id }) => content_id ?? '');
  return ids.flatMap((id, index): Violation[] => {
    const pointer = `/attachments/${index}/content_id`;
    if (id !== '' && !isContentId(id)) {
      const message = 'A content_id has only letters, digits and _.+=@~-';
      return [{ pointer, code: 'value_error.content_id', message }];
    }
    if (id === '' || ids.indexOf(id) === index) return [];
    const message = 'Another attachment has this content_id';
    return [{ pointer, code: 'value_error.duplicate_content_id', message }];
  });
}

function validateAll(attachments: Attachment[]): Violation[] {
  const violations: Violation[] = [];
  if (attachments.length > sendLimits.attachments) {
    violations.push({
      pointer: '/attachments',
      code: 'too_long',
      message: `List should have at most ${sendLimits.attachments} items`,
      params: { max_length: sendLimits.attachments, actual_length: attachments.length },
    });
  }
  const total = attachments.reduce((sum, { content }) => sum + content.length, 0);
  if (total > sendLimits.attachment_bytes) {
    violations.push({
      pointer: '/attachments',
      code: 'value_error.too_large',
      message: `Attachments should have at most ${sendLimits.attachment_bytes} bytes decoded in all`,
      params: { max_bytes: sendLimits.attachment_bytes, actual_bytes: total },
    });
  }
  return violations;
}
