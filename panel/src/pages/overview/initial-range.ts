export const initial_range = '30d';
