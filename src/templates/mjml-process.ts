import { answerParent } from '../base/processes/answer-parent.ts';
import { renderMjml } from './render-mjml.ts';

/** Worker process that converts MJML to HTML. */
answerParent(renderMjml);
