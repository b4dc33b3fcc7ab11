import { testShortForm } from './bed/short-form.ts';
import { receive } from './scenarios/receive.ts';

testShortForm(receive);
