import type { MailTemplateDetail } from '../../api/operations.ts';
import type { Samples } from './sample-variables.ts';
import type { Analysis } from './use-analysis.ts';
import type { DraftState } from './use-draft.ts';

/** A template while somebody works on it. */
export interface Edited {
  template: MailTemplateDetail;
  state: DraftState;
  analysis: Analysis;
  samples: Samples;
  /** Of the variables that the text reads. */
  names: string[];
}
