import { testShortForm } from './bed/short-form.ts';
import { clocks } from './scenarios/clocks.ts';

testShortForm(clocks);
