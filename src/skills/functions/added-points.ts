import { folded } from '../../common/text/folded-text.js';

/** How a point is compared: models repeat what is known with other capitals, accents and full stops. */
const keyOf = (point: string): string =>
  folded(point)
    .replace(/[\s.;,]+$/u, '')
    .trim();

/** What is known with what is stated, each once: said again in other capitals it is the same. */
export const addedPoints = (known: readonly string[], stated: readonly string[]): string[] => {
  const points = new Map(known.map((point) => [keyOf(point), point]));
  for (const point of stated) if (!points.has(keyOf(point))) points.set(keyOf(point), point);
  return [...points.values()];
};
