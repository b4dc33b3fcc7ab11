import type { Violation } from '../base/errors/problem.ts';
import { escapePointer } from '../base/http/violations.ts';
import { checkCustomHeaders, type HeaderViolation } from '../protocol/mime/custom-headers.ts';
import { isHeaderName } from '../protocol/mime/header-text.ts';

const rules: Record<HeaderViolation['rule'], { code: string; message: string }> = {
  too_many: { code: 'too_long', message: 'A mail has at most 15 custom headers' },
  name_invalid: {
    code: 'string_pattern_mismatch',
    message: 'A header name has printable ASCII characters only, and no colon',
  },
  name_too_long: { code: 'string_too_long', message: 'A header name has at most 126 characters' },
  value_too_long: { code: 'string_too_long', message: 'A header value has at most 995 characters' },
  total_too_long: {
    code: 'string_too_long',
    message: 'Name and value of a header have at most 996 characters together',
  },
  value_invalid: {
    code: 'value_error.control_character',
    message: 'Line breaks and control characters are not allowed in a header',
  },
  reserved: { code: 'value_error.reserved_header', message: 'This header is written by the service' },
};
/** A known field name that is refused although valid: it is repeated in another case. */
const duplicate = {
  code: 'value_error.duplicate_header',
  message: 'Names that differ only in case are one header',
};

/** Header options of SMTP submission, and the JSON field to use instead. */
const options: Record<string, string> = {
  'x-chq-category': 'category',
  'x-chq-custom-msg-id': 'custom_msg_id',
  'x-chq-custom-group-code': 'custom_group_code',
  'x-chq-tag': 'tags',
  'x-chq-test-mode': 'test_mode',
  'x-chq-recipients-visible': 'recipients_visible',
  'x-chq-reply-token': 'reply_token',
  'x-chq-idempotency-key': 'the Idempotency-Key of the request',
  'x-chq-track-opens': 'tracking',
  'x-chq-track-clicks': 'tracking',
  'x-chq-schedule-at': 'schedule_at',
  'x-chq-template-alias': 'template_alias',
  'x-chq-template-id': 'template_id',
  'x-chq-template-variables': 'template_variables',
  'x-chq-strict-variables': 'strict_variables',
};

export function validateHeaders(headers: Record<string, string>): Violation[] {
  return checkCustomHeaders(headers).map(({ name, rule, use_instead = options[name.toLowerCase()] }) => {
    const { code, message } = rule === 'name_invalid' && isHeaderName(name) ? duplicate : rules[rule];
    return {
      pointer: rule === 'too_many' ? '/headers' : `/headers/${escapePointer(name)}`,
      code,
      message: use_instead ? `${message}; use ${use_instead} instead` : message,
      ...(rule === 'reserved' ? { params: { header: name } } : {}),
    };
  });
}
