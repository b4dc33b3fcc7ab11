import { createTemplateRenderer } from '../../src/templates/template-renderer.ts';

/** For tests that save templates without the service. Its processes end with the test. */
export const renderer = createTemplateRenderer({ liquid_max_ms: 1_000, mjml_max_ms: 10_000 });
