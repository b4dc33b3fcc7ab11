import { Fragment } from 'react';

/** A sentence of the service, in which commands and names stand between backticks. */
export function Coded({ children }: { children: string }) {
  return children
    .split(/`([^`]+)`/)
    .map((part, at) => (
      <Fragment key={`${at} ${part}`}>{at % 2 === 1 ? <code>{part}</code> : part}</Fragment>
    ));
}
