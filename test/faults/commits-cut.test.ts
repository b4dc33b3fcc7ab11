import { testShortForm } from './bed/short-form.ts';
import { commitsCut } from './scenarios/commits-cut.ts';

testShortForm(commitsCut);
