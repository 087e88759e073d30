import places from '../../data/financing/places.json' with { type: 'json' };

/**
 * A region that can be asked for. The geographic ones are those of the UN (M49); sub-Saharan Africa is all but the north,
 * with Sudan, as the World Bank counts it; the Sahel is the five countries that met under that name.
 */
export type Region = keyof typeof places.members;
export const regions = Object.keys(places.members) as Region[];

/** Includes programmes' own regions, whose members are not listed here. */
export const anyRegions = [...regions, 'developing-countries', 'africa-member-states'] as const;
export type AnyRegion = (typeof anyRegions)[number];

/** Parties of Annex I to the climate convention (UNFCCC). No fund calls them developing countries. */
const industrialised = new Set(places.industrialised.split(' '));

export function isAfrican(country: string): boolean {
  return membersOf('africa').includes(country);
}

/** ISO 3166-1 alpha-2 codes. */
export function membersOf(region: Region): readonly string[] {
  return places.members[region].split(' ');
}

/** Whether a country is in a region of the data. Null: each programme has its own list, unknown here. */
export function liesIn(country: string, region: AnyRegion): boolean | null {
  if (region === 'africa-member-states') return isAfrican(country) ? null : false;
  if (region !== 'developing-countries') return membersOf(region).includes(country);
  if (isAfrican(country)) return true;
  return industrialised.has(country) ? false : null;
}
