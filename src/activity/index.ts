export { firstEventOf, millisecondsOf, requireMailId, requireMessageId } from './mail-id.ts';
export { withinTime } from './within-time.ts';
export { statsExample, StatsOverview, StatsQuery } from './stats-schemas.ts';
export { addCategory, addMailFilters, recipientNotBlocked } from './mail-filters.ts';
export { readDeliveryRates } from './delivery-rates.ts';
export { countAccepted, readStats } from './stats.ts';
export { personalData } from './personal-data.ts';
export { cancelMessage, rescheduleMessage } from './change-message.ts';
