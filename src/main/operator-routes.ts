import type { Operation } from '../base/http/operation.ts';
import { apiKeyOperatorRoute } from '../credentials/api-key-operator-route.ts';
import { linkTakedownOperatorRoutes } from '../domains/link-takedown-operator-routes.ts';
import { revocationOperatorRoutes } from '../domains/revocation-operator-routes.ts';
import { checkOperatorRoutes } from '../installation/check-operator-routes.ts';
import { nodeOperatorRoutes } from '../installation/node-operator-routes.ts';
import { instanceOperatorRoutes } from '../instances/instance-operator-routes.ts';
import { erasureOperatorRoutes } from '../rights/erasure-operator-routes.ts';
import { sourceOperatorRoutes } from '../sources/source-operator-routes.ts';
import { allChecks } from './checks.ts';
import { jobSchedules } from './jobs.ts';
import { provisionForOperator } from './provision.ts';
import type { ServiceContext } from './service-context.ts';

/** What programs of the operator do too, with an operator key. */
export function publicOperatorRoutes({ store, clock }: ServiceContext): Operation[] {
  const { db } = store;
  return [
    ...instanceOperatorRoutes({ db, provision: provisionForOperator }),
    apiKeyOperatorRoute({ db, clock }),
    ...sourceOperatorRoutes({ db, clock }),
  ];
}

/** What operators do in the panel only; commands do the same. */
export function operatorRoutes({ config, store, clock }: ServiceContext): Operation[] {
  const { db } = store;
  const { platform_domain, node_dead_seconds: dead_after_seconds } = config;
  return [
    ...nodeOperatorRoutes({ db, dead_after_seconds, schedules: jobSchedules }),
    ...revocationOperatorRoutes({ db, platform_domain }),
    ...linkTakedownOperatorRoutes({ db }),
    ...erasureOperatorRoutes({ db, clock }),
    ...checkOperatorRoutes(db, allChecks({ db, config, store })),
  ];
}
