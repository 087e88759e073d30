/** African countries as ISO 3166-1 writes them, alpha-2 and alpha-3. */
const african =
  'AO AGO, BF BFA, BI BDI, BJ BEN, BW BWA, CD COD, CF CAF, CG COG, CI CIV, CM CMR, CV CPV, DJ DJI, DZ DZA, EG EGY, ' +
  'ER ERI, ET ETH, GA GAB, GH GHA, GM GMB, GN GIN, GQ GNQ, GW GNB, KE KEN, KM COM, LR LBR, LS LSO, LY LBY, MA MAR, ' +
  'MG MDG, ML MLI, MR MRT, MU MUS, MW MWI, MZ MOZ, NA NAM, NE NER, NG NGA, RW RWA, SC SYC, SD SDN, SL SLE, SN SEN, ' +
  'SO SOM, SS SSD, ST STP, SZ SWZ, TD TCD, TG TGO, TN TUN, TZ TZA, UG UGA, ZA ZAF, ZM ZMB, ZW ZWE';

const byIso3: ReadonlyMap<string, string> = new Map(
  african.split(', ').map((pair) => [pair.slice(3), pair.slice(0, 2)]),
);
const africa = [...byIso3.values()];
const north = ['DZ', 'EG', 'LY', 'MA', 'TN'];

/**
 * The regions that have members here. The geographic ones are those of the UN (M49); sub-Saharan Africa is all but the
 * north, with Sudan, as the World Bank counts it; the Sahel is the five countries that met under that name.
 */
const members = {
  africa,
  'sub-saharan-africa': africa.filter((country) => !north.includes(country)),
  'north-africa': [...north, 'SD'],
  'west-africa': 'BF BJ CI CV GH GM GN GW LR ML MR NE NG SL SN TG'.split(' '),
  'central-africa': 'AO CD CF CG CM GA GQ ST TD'.split(' '),
  'eastern-africa': 'BI DJ ER ET KE KM MG MU MW MZ RW SC SO SS TZ UG ZM ZW'.split(' '),
  'southern-africa': 'BW LS NA SZ ZA'.split(' '),
  sahel: 'BF ML MR NE TD'.split(' '),
  uemoa: 'BF BJ CI GW ML NE SN TG'.split(' '),
  cemac: 'CF CG CM GA GQ TD'.split(' '),
} as const satisfies Record<string, readonly string[]>;

/** A region that can be asked for. */
export type Region = keyof typeof members;
export const regions = Object.keys(members) as Region[];

/** Regions of the data without a list of members here. */
export const openRegions = ['developing-countries', 'africa-member-states'] as const;
export type AnyRegion = Region | (typeof openRegions)[number];

/** Parties of Annex I to the climate convention (UNFCCC): what no fund calls a developing country. */
const industrialised = new Set(
  'AT AU BE BG BY CA CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT JP LI LT LU LV MC MT NL NO NZ PL PT RO RU SE SI SK TR UA US'.split(
    ' ',
  ),
);

export function isAfrican(country: string): boolean {
  return africa.includes(country);
}

/** The alpha-2 code of an African country's alpha-3. */
export function countryOfIso3(iso3: string): string | undefined {
  return byIso3.get(iso3);
}

export function isRegion(code: string): code is AnyRegion {
  return Object.hasOwn(members, code) || openRegions.some((region) => region === code);
}

export function membersOf(region: Region): readonly string[] {
  return members[region];
}

/** Whether a country lies in a region of the data; null where each programme has a list that is not known here. */
export function liesIn(country: string, region: AnyRegion): boolean | null {
  if (region === 'africa-member-states') return isAfrican(country) ? null : false;
  if (region !== 'developing-countries') return membersOf(region).includes(country);
  if (isAfrican(country)) return true;
  return industrialised.has(country) ? false : null;
}
