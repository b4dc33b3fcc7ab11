export { messagePage, withRightsLink } from './pages/page-parts.ts';
export { answerErrors, languageOf, takeForms } from './pages/page-visit.ts';
export { withImagesOf } from './pages/submitted-document.ts';
export { PersonalContent } from './personal-content.ts';
export { TrackingTokens } from './tracking-token.ts';
export type { Tracking } from './tracking.ts';
