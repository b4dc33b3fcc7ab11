import { markPaths } from '../../../../src/base/brand.ts';

/** The running figure, in the colour of the text around it. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="2.1"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {markPaths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}
