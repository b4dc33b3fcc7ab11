import { testShortForm } from './bed/short-form.ts';
import { failover } from './scenarios/failover.ts';

testShortForm(failover);
