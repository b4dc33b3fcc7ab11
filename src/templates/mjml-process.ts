import { answerParent } from '../base/processes/answer-parent.ts';
import { renderMjml } from './render-mjml.ts';

/** The process in which MJML becomes HTML: one source in, one outcome out. */
answerParent(renderMjml);
