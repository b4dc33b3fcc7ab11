export { firstEventOf, requireMailId } from './mail-id.ts';
export { withinTime } from './within-time.ts';
export { statsExample, StatsOverview, StatsQuery } from './stats-schemas.ts';
export { readStats } from './stats.ts';
export { personalData } from './personal-data.ts';
