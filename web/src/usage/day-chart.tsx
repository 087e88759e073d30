import { t } from '../i18n/catalogue.js';
import { dayOf } from '../i18n/dates.js';
import { dollarsOf, roughly } from '../i18n/numbers.js';
import type { UsageRow } from './usage-operations.js';

const DAY_MS = 86_400_000;
const HEIGHT = 120;
const WIDTH = 10;

/** The last days, as the API counts them: by UTC, the oldest first, YYYY-MM-DD. */
export function daysBetween(count: number, now: Date = new Date()): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(now.getTime() - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** Tokens a day. The same numbers stand in each bar's title. */
export function DayChart({ days, rows }: { days: readonly string[]; rows: readonly UsageRow[] }) {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const tokens = days.map((day) => tokensOf(byDay.get(day)));
  const most = Math.max(1, ...tokens);
  return (
    <figure className="chart">
      <figcaption className="soft small">{t('usage.chart', { most: roughly(most) })}</figcaption>
      <svg
        viewBox={`0 0 ${days.length * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('usage.chart', { most: roughly(most) })}
      >
        {days.map((day, index) => {
          const height = ((tokens[index] ?? 0) / most) * HEIGHT;
          return (
            <rect
              key={day}
              x={index * WIDTH + 1}
              y={HEIGHT - height}
              width={WIDTH - 2}
              height={height}
              rx="1"
            >
              <title>
                {`${dayOf(day)}: ${roughly(tokens[index] ?? 0)}, ${dollarsOf(byDay.get(day)?.costUsd ?? 0)}`}
              </title>
            </rect>
          );
        })}
      </svg>
      <p className="chart-ends soft small">
        <span>{dayOf(days[0] ?? '')}</span>
        <span>{dayOf(days.at(-1) ?? '')}</span>
      </p>
    </figure>
  );
}

function tokensOf(row: UsageRow | undefined): number {
  return row ? row.inputTokens + row.outputTokens : 0;
}
