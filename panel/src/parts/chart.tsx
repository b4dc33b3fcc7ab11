import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { useFormat } from './app/format.ts';
import { labelled, ticksUpTo } from './chart-scale.ts';
import styles from './chart.module.css';

export interface Series {
  name: string;
  label: string;
  /** A colour that CSS knows. */
  color: string;
}

/** A moment that is marked on the chart. */
export interface ChartMark {
  id: number;
  /** The point that it belongs to. */
  index: number;
  text: string;
}

export interface ChartProps {
  /** Says what is on the x axis. */
  label: string;
  /** `at` is what the axis shows. */
  points: ({ at: string } & Record<string, number | string>)[];
  series: Series[];
  kind?: 'area' | 'bars';
  marks?: ChartMark[];
}

const height = 224;
const margin = { top: 10, right: 12, bottom: 24, left: 44 };
const labelWidth = 84;

/** Series over points: areas for what goes on in time, stacked bars for what stands side by side. */
export function Chart({ points, series, kind = 'area', label, marks = [] }: ChartProps) {
  const { compact } = useFormat();
  const { ref, width } = useElementSize();
  const [at, setAt] = useState<number>();
  const amountOf = (index: number, { name }: Series): number => Number(points[index]?.[name] ?? 0);
  const totalOf = (index: number): number =>
    kind === 'bars'
      ? series.reduce((sum, each) => sum + amountOf(index, each), 0)
      : Math.max(...series.map((each) => amountOf(index, each)));
  const ticks = ticksUpTo(Math.max(0, ...points.map((_point, index) => totalOf(index))));
  const top = ticks.at(-1) ?? 1;
  const inner = {
    width: Math.max(0, width - margin.left - margin.right),
    height: height - margin.top - margin.bottom,
  };
  const band = inner.width / Math.max(1, points.length);
  const x = (index: number): number =>
    margin.left +
    (kind === 'bars'
      ? (index + 0.5) * band
      : points.length < 2
        ? inner.width / 2
        : (index / (points.length - 1)) * inner.width);
  const y = (value: number): number => margin.top + inner.height * (1 - value / top);
  const hasLabel = labelled(points.length, inner.width / labelWidth);
  const onMove = ({ clientX, currentTarget }: React.PointerEvent<SVGSVGElement>): void => {
    const place = clientX - currentTarget.getBoundingClientRect().left - margin.left;
    const index =
      kind === 'bars' ? Math.floor(place / band) : Math.round((place / inner.width) * (points.length - 1));
    setAt(Math.min(Math.max(index, 0), points.length - 1));
  };
  const shape = { points, series, x, y, amountOf, band };
  return (
    <figure className={styles['chart']} ref={ref}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`${label}: ${series.map((each) => each.label).join(', ')}`}
        onPointerMove={onMove}
        onPointerLeave={() => setAt(undefined)}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line
              x1={margin.left}
              x2={width - margin.right}
              y1={y(tick)}
              y2={y(tick)}
              className={styles['grid']}
            />
            <text x={margin.left - 8} y={y(tick) + 4} textAnchor="end">
              {compact(tick)}
            </text>
          </g>
        ))}
        {points.map((point, index) =>
          hasLabel(index) ? (
            <text
              key={point.at}
              x={x(index)}
              y={height - 6}
              textAnchor={anchorOf(index, points.length, kind)}
            >
              {point.at}
            </text>
          ) : null,
        )}
        {width > 0 && (kind === 'bars' ? <Bars {...shape} /> : <Areas {...shape} bottom={y(0)} />)}
        {width > 0 &&
          marks.map(({ id, index, text }) => (
            <g key={id} className={styles['mark']}>
              <title>{text}</title>
              <line x1={x(index)} x2={x(index)} y1={margin.top} y2={y(0)} />
              <circle cx={x(index)} cy={margin.top} r={4} />
            </g>
          ))}
        {at !== undefined && kind === 'area' && (
          <>
            <line x1={x(at)} x2={x(at)} y1={margin.top} y2={y(0)} className={styles['cursor']} />
            {series.map((each) => (
              <circle key={each.name} cx={x(at)} cy={y(amountOf(at, each))} r={3.5} fill={each.color} />
            ))}
          </>
        )}
      </svg>
      {at !== undefined && (
        <div
          className={styles['tip']}
          data-left={x(at) > width / 2 || undefined}
          style={{ insetInlineStart: x(at) }}
        >
          <strong>{points[at]?.at}</strong>
          {series.map((each) => (
            <div key={each.name}>
              <i style={{ background: each.color }} /> {each.label} <b>{compact(amountOf(at, each))}</b>
            </div>
          ))}
          {marks
            .filter(({ index }) => index === at)
            .map(({ id, text }) => (
              <div key={id} className={styles['said']}>
                {text}
              </div>
            ))}
        </div>
      )}
      <figcaption className={styles['legend']}>
        {series.map((each) => (
          <span key={each.name}>
            <i style={{ background: each.color }} /> {each.label}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

interface Shape extends Pick<ChartProps, 'points' | 'series'> {
  x: (index: number) => number;
  y: (value: number) => number;
  amountOf: (index: number, series: Series) => number;
  band: number;
}

function Areas({ points, series, x, y, amountOf, bottom }: Shape & { bottom: number }) {
  return series.map((each) => {
    const line = points.map((_point, index) => `${x(index)},${y(amountOf(index, each))}`).join(' L');
    return (
      <g key={each.name}>
        <path
          d={`M${x(0)},${bottom} L${line} L${x(points.length - 1)},${bottom} Z`}
          fill={each.color}
          className={styles['area']}
        />
        <path d={`M${line}`} stroke={each.color} className={styles['line']} />
      </g>
    );
  });
}

function Bars({ points, series, x, y, amountOf, band }: Shape) {
  const wide = Math.min(36, band * 0.7);
  return points.map((point, index) => {
    let below = 0;
    return series.map((each) => {
      const value = amountOf(index, each);
      const from = below;
      below += value;
      return (
        <rect
          key={`${point.at} ${each.name}`}
          x={x(index) - wide / 2}
          width={wide}
          y={y(from + value)}
          height={y(from) - y(from + value)}
          fill={each.color}
          rx={1.5}
        />
      );
    });
  });
}

/** The outermost labels stay inside of the picture. */
function anchorOf(index: number, count: number, kind: 'area' | 'bars'): 'start' | 'middle' | 'end' {
  // A few bars are wide enough for the label below them.
  if (count < (kind === 'bars' ? 8 : 2)) return 'middle';
  return index === 0 ? 'start' : index === count - 1 ? 'end' : 'middle';
}
