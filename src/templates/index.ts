export { missingVariables } from './missing-variables.ts';
export { renderStored } from './render-stored.ts';
export { TemplateFailure } from './render-template.ts';
export { isTemplateAlias, TemplateAlias } from './template-alias.ts';
export { createTemplateCache, type SendableTemplate, type TemplateCache } from './template-cache.ts';
export type { TemplateContent } from './template-content.ts';
export { dataFor } from './template-data.ts';
export { makeUnsavedContent, previewTemplate } from './preview-template.ts';
export { UnsavedContent } from './template-schemas.ts';
export type { TemplateRenderer } from './template-renderer.ts';
export { TemplateVariables } from './variables-schema.ts';
export {
  readVariables,
  validateVariables,
  variableLimits,
  writeVariables,
  type MessageVariables,
  type Variables,
} from './variables.ts';
export { getTemplate, listTemplates } from './templates.ts';
