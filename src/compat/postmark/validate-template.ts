import { Type, type Static } from 'typebox';
import { Problem, validationProblem, type Violation } from '../../base/errors/problem.ts';
import { Nullable } from '../../base/http/schemas.ts';
import { compileValidator, type Validate } from '../../base/http/validation.ts';
import { previewTemplate } from '../../templates/index.ts';
import type { CompatContext } from '../compat-context.ts';
import type { VendorRoute } from '../vendor.ts';
import { refused } from './paging.ts';

const text = Type.Optional(Nullable(Type.String()));

const any = Type.Optional(Type.Unknown());

const Template = Type.Object(
  {
    subject: text,
    htmlbody: text,
    textbody: text,
    testrendermodel: Type.Optional(Nullable(Type.Record(Type.String(), Type.Unknown()))),
    templatetype: text,
    layouttemplate: text,
    // Of a template that was read before, which the client for Ruby sends whole.
    name: any,
    alias: any,
    active: any,
    templateid: any,
    associatedserverid: any,
    inlinecssforhtmltestrender: Type.Optional(Nullable(Type.Boolean())),
  },
  { additionalProperties: false },
);
type Template = Static<typeof Template>;

let validate: Validate | undefined;

const parts = {
  Subject: ['subject', 'subject'],
  HtmlBody: ['htmlbody', 'source'],
  TextBody: ['textbody', 'text'],
} as const;

interface PartResult {
  ContentIsValid: boolean;
  ValidationErrors: { Message: string; Line: number | null; CharacterPosition: number | null }[];
  RenderedContent: string | null;
}

/** `POST /templates/validate`: each part as Liquid, rendered for the sample recipient. */
export function validateRoute({ renderer }: CompatContext): VendorRoute {
  return {
    method: 'POST',
    path: '/templates/validate',
    scope: 'template:read',
    max_body_bytes: 1024 * 1024,
    handle: async ({ body, caller: { instance } }) => {
      const template = readTemplate(body);
      const results: Record<string, PartResult | null> = {};
      for (const [name, [theirs, ours]] of Object.entries(parts)) {
        const written = template[theirs];
        results[name] = written
          ? await renderPart(renderer, instance.id, { [ours]: written, ...modelOf(template) })
          : null;
      }
      return {
        AllContentIsValid: Object.values(results).every((part) => part?.ContentIsValid ?? true),
        ...results,
        // What a template reads is known in the panel, by its type not.
        SuggestedTemplateModel: {},
      };
    },
  };
}

/** Clients write the names in several cases. */
function readTemplate(body: unknown): Template {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (!isObject) throw refused('', 'A template is an object with Subject, HtmlBody or TextBody.');
  const members = Object.entries(body);
  const given = Object.fromEntries(members.map(([name, value]) => [name.toLowerCase(), value as unknown]));
  validate ??= compileValidator(Template);
  const violations = validate(given);
  if (violations.length > 0) throw validationProblem(violations);
  const template = given as Template;
  if (template.templatetype && template.templatetype !== 'Standard') {
    throw refused('TemplateType', 'Chasqui has no layouts: TemplateType is Standard.');
  }
  if (!Object.values(parts).some(([theirs]) => template[theirs])) {
    throw refused('', 'Give a Subject, an HtmlBody or a TextBody.');
  }
  if (template.layouttemplate) throw refused('LayoutTemplate', 'Chasqui has no layouts.');
  return template;
}

function modelOf({ testrendermodel }: Template): object {
  return testrendermodel ? { template_variables: testrendermodel } : {};
}

async function renderPart(
  renderer: CompatContext['renderer'],
  instanceId: number,
  draft: object,
): Promise<PartResult> {
  try {
    const { subject, html, text: plain } = await previewTemplate(renderer, instanceId, draft);
    return { ContentIsValid: true, ValidationErrors: [], RenderedContent: html ?? subject ?? plain ?? '' };
  } catch (error) {
    const errors = error instanceof Problem ? error.facts.errors : undefined;
    if (!errors) throw error;
    return { ContentIsValid: false, ValidationErrors: errors.map(errorOf), RenderedContent: null };
  }
}

function errorOf({ message, params }: Violation): PartResult['ValidationErrors'][number] {
  const place = (name: string): number | null => (typeof params?.[name] === 'number' ? params[name] : null);
  return { Message: message, Line: place('line'), CharacterPosition: place('column') };
}
