import { testShortForm } from './bed/short-form.ts';
import { readOnly } from './scenarios/read-only.ts';

testShortForm(readOnly);
