import { median } from './measure.js';

/**
 * A figure over all rounds. `ratio`: to bare in the same round, the median of the rounds.
 *
 * @typedef {{ median: number, min: number, max: number, ratio: number | null }} Figure
 */

/** @param {Record<string, Record<string, number>>[]} rounds By system and metric. @returns {Figure | null} */
function figureOf(rounds, system, metric) {
  const values = rounds.map((round) => round[system]?.[metric]).filter((value) => Number.isFinite(value));
  if (values.length === 0) return null;
  const ratios = rounds
    .map((round) => round[system][metric] / round.bare?.[metric])
    .filter((ratio) => Number.isFinite(ratio));
  return {
    median: median(values),
    min: Math.min(...values),
    max: Math.max(...values),
    ratio: ratios.length > 0 ? median(ratios) : null,
  };
}

/** What the goals say of a figure, which are for Palabre on PostgreSQL. */
function verdictOf({ must, aim, isAbsolute = false, isMoreBetter = false }, figure) {
  const value = isAbsolute ? figure.median : figure.ratio;
  if (must === undefined || value === null) return null;
  const reaches = (goal) => (isMoreBetter ? value >= goal : value <= goal);
  if (reaches(aim)) return 'aim';
  return reaches(must) ? 'must' : 'missed';
}

/** All figures of a section: what the JSON holds and the table shows. */
export function summarize({ name, title, systems, metrics }, rounds) {
  return {
    name,
    title,
    figures: Object.entries(metrics).map(([key, metric]) => ({
      key,
      ...metric,
      systems: Object.fromEntries(
        systems
          .map((system) => [system, figureOf(rounds, system, key)])
          .filter(([, figure]) => figure !== null)
          .map(([system, figure]) => [
            system,
            { ...figure, goal: system === 'postgresql' ? verdictOf(metric, figure) : null },
          ]),
      ),
    })),
  };
}

function cell(figure, digits) {
  if (!figure) return '';
  const [middle, min, max] = [figure.median, figure.min, figure.max].map((value) => value.toFixed(digits));
  const spread = min === max ? '' : ` (${min}–${max})`;
  const ratio = figure.ratio === null ? '' : ` ${figure.ratio.toFixed(2)}×`;
  return `${middle}${spread}${ratio}`;
}

function goals({ must, aim, unit, isAbsolute }) {
  if (must === undefined) return '';
  const times = isAbsolute ? ` ${unit}`.trimEnd() : '×';
  return `${must}${times} / ${aim}${times}`;
}

/** A section as a table for people. */
export function describe({ title, figures }) {
  const columns = [...new Set(figures.flatMap(({ systems }) => Object.keys(systems)))];
  const heading = [title, ...columns, 'must / aim', 'reached'];
  const rows = figures.map((figure) => [
    `  ${figure.title}${figure.unit ? `, ${figure.unit}` : ''}`,
    ...columns.map((column) => cell(figure.systems[column], figure.digits)),
    goals(figure),
    figure.systems.postgresql?.goal ?? '',
  ]);
  const widths = heading.map((_, index) => Math.max(...[heading, ...rows].map((row) => row[index].length)));
  return [heading, ...rows]
    .map((row) =>
      row
        .map((text, index) => text.padEnd(widths[index]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
