import { fold } from '@palabre/lexical';

import words from '../../data/financing/words.json' with { type: 'json' };
import { type AnySector, otherSectors, type Purpose, purposes, sectors } from './financing-data.js';

/** Related codes, by code. */
type Related = Readonly<Partial<Record<string, readonly string[]>>>;

/** Stems in French, English, Spanish and Chinese, without accents. */
const sectorWords = { ...words.sectors, ...words.otherSectors };

function found<Code extends string>(
  codes: readonly Code[],
  patterns: Readonly<Record<Code, string>>,
  text: string,
): Code[] {
  const folded = fold(text);
  const stated = codes.find((code) => code === folded.trim());
  return stated ? [stated] : codes.filter((code) => new RegExp(patterns[code]).test(folded));
}

/** The sectors named in a text. Empty: not understood. */
export function sectorsIn(text: string): AnySector[] {
  return found<AnySector>([...sectors, ...otherSectors], sectorWords, text);
}

/** The purposes named in a text. Empty: not understood. */
export function purposesIn(text: string): Purpose[] {
  return found(purposes, words.purposes, text);
}

/** Whether a sector is the named one, or part of it. */
export function countsAs(sector: AnySector, named: string): boolean {
  return sector === named || isRelated(words.partOf, sector, named);
}

/** Whether two sectors are close enough that the company has to ask the programme. */
export function isAkin(sector: AnySector, named: string): boolean {
  return isRelated(words.akinTo, sector, named);
}

export function includesPurpose(broad: Purpose, narrow: Purpose): boolean {
  return isRelated(words.includes, broad, narrow);
}

function isRelated(related: Related, code: string, other: string): boolean {
  return related[code]?.includes(other) ?? false;
}

/** Finance for companies of every kind: the company has to ask what it may be spent on. */
export function isGeneral(purpose: Purpose): boolean {
  return purpose === 'sme-finance' || purpose === 'impact';
}
