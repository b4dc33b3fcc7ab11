import { testShortForm } from './bed/short-form.ts';
import { upgrade } from './scenarios/upgrade.ts';

testShortForm(upgrade);
