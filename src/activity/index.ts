export { firstEventOf, requireMailId } from './mail-id.ts';
export { withinTime } from './within-time.ts';
export { statsExample, StatsOverview, StatsQuery } from './stats-schemas.ts';
export { addCategory } from './mail-filters.ts';
export { countAccepted, readStats } from './stats.ts';
export { personalData } from './personal-data.ts';
