import { testShortForm } from './bed/short-form.ts';
import { broadcast } from './scenarios/broadcast.ts';

testShortForm(broadcast);
