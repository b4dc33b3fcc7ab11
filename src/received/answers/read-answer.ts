import { type ReplySource, readReply, type ReplyConfidence } from '../../protocol/reply/read-reply.ts';
import { type OptOut, readOptOut } from '../../protocol/reply/opt-out.ts';

/** What a person wrote, and how sure that is: from 0 to 1. */
export interface Answer {
  text_reply: string | null;
  text_reply_confidence: number | null;
  /** When it says nothing but that they want no more mail. */
  opt_out: OptOut | undefined;
}

const confidences: Record<ReplyConfidence, number> = { high: 1, medium: 0.6, low: 0.2 };
/** A program's answer withdraws nothing, and a doubtful reading neither. */
const fewestForOptOut = 0.6;

export function readAnswer(source: ReplySource, { is_automatic }: { is_automatic: boolean }): Answer {
  if (source.text === null && source.html === null)
    return { text_reply: null, text_reply_confidence: null, opt_out: undefined };
  const { text_reply, confidence } = readReply(source);
  const text_reply_confidence = confidences[confidence];
  const isSure = !is_automatic && text_reply_confidence >= fewestForOptOut;
  const opt_out = isSure ? readOptOut({ text_reply, subject: source.subject }) : undefined;
  return { text_reply, text_reply_confidence, opt_out };
}
