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

/** What whoever runs the installation does in the panel; commands do the same. */
export function operatorRoutes({ config, store, clock }: ServiceContext): Operation[] {
  const { db } = store;
  const { platform_domain, node_dead_seconds: dead_after_seconds } = config;
  return [
    ...operatorInstanceRoutes({ db }),
    ...operatorNodeRoutes({ db, dead_after_seconds }),
    ...operatorSourceRoutes({ db, clock }),
    ...operatorDomainRoutes({ db, platform_domain }),
    ...operatorLinkRoutes({ db }),
    ...erasureOperatorRoutes({ db, clock }),
    ...operatorCheckRoutes(db, allChecks({ db, config, store })),
  ];
}
