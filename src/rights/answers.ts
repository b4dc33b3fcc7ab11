import type { Queryable } from '../base/db/database.ts';
import type { Language } from '../base/http/preferred-language.ts';
import { type AnswerFacts, answerKinds, answerTexts } from './answer-texts.ts';
import type { Answers } from './request-schemas.ts';
import { getRequest } from './requests.ts';

/** Drafts of answers to a request. Nothing is sent. */
export async function draftAnswers(
  db: Queryable,
  instance: { id: number; timezone: string },
  { id, language: wanted, now }: { id: number; language: Language | null | undefined; now: Date },
): Promise<Answers> {
  const request = await getRequest(db, instance.id, { id, now });
  const language = wanted ?? request.language;
  const [named] = await db.query<{ name: string }>('select name from instances where id = $1', [instance.id]);
  const day = new Intl.DateTimeFormat(language === 'es' ? 'es-CL' : 'en-GB', {
    dateStyle: 'long',
    timeZone: instance.timezone,
  });
  const facts: AnswerFacts = {
    id,
    instance: named?.name ?? '',
    received: day.format(new Date(request.received_at)),
    due: day.format(new Date(request.due_at)),
    reason: request.extension_reason,
    ground: request.ground,
    resolution: request.resolution,
  };
  const texts = answerTexts[language];
  const right = texts.right[request.kind];
  const paragraphs = {
    received: texts.received(right, facts),
    extended: texts.extended(right, facts),
    fulfilled: texts.fulfilled[request.kind](facts),
    refused: texts.refused(right, facts),
  };
  return {
    language,
    data: answerKinds.map((answer) => ({
      answer,
      subject: texts.subject(right, facts),
      text: [texts.greeting, ...paragraphs[answer], texts.farewell(facts).join('\n')].join('\n\n'),
    })),
  };
}
