/**
 * Loaded into a node before its own code (`--import`): a mail whose header says so kills it while it is built, as a bug
 * in the platform below would.
 */
const deadly = process.env['DEADLY_SUBJECT'] ?? '';
const concat = Buffer.concat.bind(Buffer);
Buffer.concat = (...given: Parameters<typeof concat>) => {
  const whole = concat(...given);
  if (deadly !== '' && whole.includes(deadly)) process.kill(process.pid, 'SIGKILL');
  return whole;
};
