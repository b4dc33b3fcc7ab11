import type { Operation } from '../../base/http/operation.ts';
import { allChecks } from '../checks.ts';
import { erasureOperatorRoutes } from '../../rights/erasure-operator-routes.ts';
import type { ServiceContext } from '../service-context.ts';
import { operatorCheckRoutes } from './operator-check-routes.ts';
import { operatorDomainRoutes } from './operator-domain-routes.ts';
import { operatorInstanceRoutes } from './operator-instance-routes.ts';
import { operatorLinkRoutes } from './operator-link-routes.ts';
import { operatorNodeRoutes } from './operator-node-routes.ts';
import { operatorSourceRoutes } from './operator-source-routes.ts';

/** What programs of the operator do too, with an operator key. */
export function publicOperatorRoutes({ store, clock }: ServiceContext): Operation[] {
  const { db } = store;
  return [...operatorInstanceRoutes({ db, clock }), ...operatorSourceRoutes({ db, clock })];
}

/** What operators do in the panel only; commands do the same. */
export function operatorRoutes({ config, store, clock }: ServiceContext): Operation[] {
  const { db } = store;
  const { platform_domain, node_dead_seconds: dead_after_seconds } = config;
  return [
    ...operatorNodeRoutes({ db, dead_after_seconds }),
    ...operatorDomainRoutes({ db, platform_domain }),
    ...operatorLinkRoutes({ db }),
    ...erasureOperatorRoutes({ db, clock }),
    ...operatorCheckRoutes(db, allChecks({ db, config, store })),
  ];
}
