export const initialRange = '30d';
