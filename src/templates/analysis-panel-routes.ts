import { operation, type Operation } from '../base/http/operation.ts';
import type { SharedBuckets } from '../limits/index.ts';
import { analyseTemplate } from './analyse-template.ts';
import { MailTemplateAnalysis } from './analysis-schemas.ts';
import { limitPreviews } from './template-write-routes.ts';
import { contentExample } from './template-examples.ts';
import type { TemplateRenderer } from './template-renderer.ts';
import { MailTemplateDraft } from './template-schemas.ts';

interface AnalysisContext {
  renderer: TemplateRenderer;
  buckets: SharedBuckets;
  previews_per_minute: number;
}

export function templateAnalysisPanelRoutes({
  renderer,
  buckets,
  previews_per_minute,
}: AnalysisContext): Operation[] {
  return [
    operation({
      id: 'panel_analyse_template',
      method: 'POST',
      path: '/v1/private/mail-templates/analysis',
      tag: 'Templates',
      summary: 'Analyse what is being edited',
      description:
        'For an editor: problems of Liquid and MJML at their line, the variables that the text reads, its links, its size against what Gmail shows, and the preview. Content with problems is answered with 200 and the problems. Nothing is saved. Counts as a preview.',
      access: { kind: 'user', role: 'developer' },
      body: MailTemplateDraft,
      body_example: {
        ...contentExample,
        subject: 'Order {{ order.number }}',
        template_variables: { order: { number: 1001 } },
      },
      max_body_bytes: 20 * 1024 * 1024,
      success: {
        status: 200,
        description: 'What was found.',
        schema: MailTemplateAnalysis,
        example: {
          problems: [],
          variables: [{ name: 'order.number', pointer: '/subject', line: 1, column: 10, is_given: true }],
          links: [{ url: 'https://mail.example.com/view/sample', count: 1 }],
          size: { html_bytes: 98, text_bytes: 71, clipped_above_bytes: 104448 },
          preview: { subject: 'Order 1001', html: '<p>Hello Ana</p>', text: 'Hello Ana' },
          text_part: 'Hello Ana',
        },
      },
      errors: [],
      handle: async ({ body, caller }) => {
        await limitPreviews(buckets, caller, previews_per_minute);
        return await analyseTemplate(renderer, caller.instance.id, body);
      },
    }),
  ];
}
