export { requestKinds, requestStatuses } from './request-schemas.ts';
export { listRequests } from './requests.ts';
