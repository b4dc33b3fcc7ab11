/** The broadcast was paused, cancelled or taken over meanwhile: what this step did is rolled back. */
export class LeaseLost extends Error {}
