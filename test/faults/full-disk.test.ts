import { testShortForm } from './bed/short-form.ts';
import { fullDisk } from './scenarios/full-disk.ts';

testShortForm(fullDisk);
