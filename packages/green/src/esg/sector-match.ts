import { z } from 'zod';

import sectorNames from '../../data/esg/sector-names.json' with { type: 'json' };
import { folded } from '../understanding.js';
import type { Grid, Sector } from './grid.js';

const SectorNames = z.record(
  z.string(),
  z.strictObject({
    /** Words that name the sector, without accents; `*` at the end: any ending. */
    words: z.array(z.string().regex(/^[^*]+\*?$/)).min(1),
    /** Words that count only if no other word names a sector: nearly every company offers services. */
    general: z.array(z.string().regex(/^[^*]+\*?$/)),
  }),
);

/** Finds a sector of the criteria in a company's own words. */
export type SectorMatcher = (text: string) => Sector | null;

const longestText = 500;

/** Lower-case words without accents, with a blank around each. */
function plain(text: string): string {
  return ` ${folded(text.slice(0, longestText))} `;
}

/** Chinese has no blanks, so a word may be anywhere. */
function isFound(word: string, text: string): boolean {
  const isOpen = word.endsWith('*');
  const bare = isOpen ? word.slice(0, -1) : word;
  return /\p{Script=Han}/u.test(bare) ? text.includes(bare) : text.includes(` ${bare}${isOpen ? '' : ' '}`);
}

/**
 * Reads the names of the sectors. Throws an Error when they differ from the criteria. A text that names two sectors
 * names none: the weights would be a guess, and the user can be asked.
 */
export function readSectorNames(grid: Grid, json: unknown): SectorMatcher {
  const parsed = SectorNames.safeParse(json);
  if (!parsed.success)
    throw new Error(`The names of sectors are not usable:\n${z.prettifyError(parsed.error)}`);
  const names = Object.entries(parsed.data).map(([id, { words, general }]) => {
    const sector = grid.sectors.get(id);
    if (!sector) throw new Error(`There are names for a sector that does not exist: ${id}.`);
    return { sector, words, general };
  });
  if (names.length !== grid.sectors.size) throw new Error('A sector has no names.');
  return (text) => {
    const words = plain(text);
    const named = names.filter((each) => each.words.some((word) => isFound(word, words)));
    const found =
      named.length > 0 ? named : names.filter((each) => each.general.some((word) => isFound(word, words)));
    return found.length === 1 ? (found[0]?.sector ?? null) : null;
  };
}

export function loadSectorMatcher(grid: Grid): SectorMatcher {
  return readSectorNames(grid, sectorNames);
}
