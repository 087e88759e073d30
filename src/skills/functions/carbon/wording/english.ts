import type { Wording } from './wording.js';

export const english: Wording = {
  language: 'en',
  units: {
    kWh: 'kWh',
    MWh: 'MWh',
    litre: ['litre', 'litres'],
    m3: 'm³',
    kg: 'kg',
    tonne: ['tonne', 'tonnes'],
    km: 'km',
    passenger_km: 'passenger-km',
    tonne_km: 'tonne-km',
    night: ['night', 'nights'],
  },
  categories: {
    electricity: 'electricity',
    fuel: 'fuels burnt',
    fuel_upstream: 'production and delivery of fuels',
    owned_vehicle: 'own vehicles',
    business_travel: 'business travel',
    freight: 'freight',
    waste: 'waste',
    water: 'water',
    refrigerant: 'refrigerants and insulating gases',
    direct_gas: 'gases released',
    material: 'materials bought',
    food: 'food and farm products bought',
  },
  scopes: { 1: 'direct emissions', 2: 'electricity bought', 3: 'other indirect emissions' },
  gaps: {
    processes: 'industrial processes, livestock, soils and fertilisers',
    services: 'services bought',
    capital_goods: 'buildings, machines and other capital goods',
    commuting: 'commuting of employees',
    sold_products: 'transport, use and end of life of what is sold',
    investments: 'investments and leased assets',
  },
  approximation: (country, usedIn) =>
    usedIn
      ? `factor of another country (${country}), used as an approximation for ${usedIn}`
      : `factor of another country (${country}), used as an approximation`,
  world: 'world',
  total: ({ total, scopes, period }, { list }) => {
    const title = `Carbon footprint${period ? ` (${period})` : ''}`;
    if (scopes.length === 0) return `${title}: nothing to count in scopes 1, 2 and 3.`;
    const inScopes = scopes.map(({ scope, amount }) => `${amount} in scope ${scope}`);
    const split = scopes.length > 1 ? `of which ${list(inScopes)}` : `all in scope ${scopes[0]?.scope}`;
    return `${title}: ${total}, ${split}.`;
  },
  outsideKyoto: (amount, list) =>
    `Declared apart, not in the total: ${amount} (${list}), because gases of the Montreal Protocol are not among the Kyoto gases.`,
  biggest: ({ label, quantity, amount, share }) =>
    `The largest item is ${label} (${quantity}): ${amount}, ${share} of the total.`,
  source: (name, edition, dataYear) =>
    dataYear ? `${name} ${edition} (figures of ${dataYear})` : `${name} ${edition}`,
  sources: (list) => `Factors: ${list}.`,
  limits: (list) => `To bear in mind: ${list.join('; ')}.`,
  notCounted: (list) => `not counted, ${list.join(', ')}`,
  nothing: (reasons) => `Nothing could be counted: ${reasons}.`,
  line: ({ label, quantity, factor, amount, scope, year }) =>
    `${label}: ${quantity} × ${factor} = ${amount} (${scope ? `scope ${scope}` : 'outside the scopes'}${year ? `, figures of ${year}` : ''})`,
  inCountry: (label, country) => `${label}, ${country}`,
  upstream: (label) => `${label} (production and delivery)`,
  withReason: (label, reason) => `${label} (${reason})`,
  caveats: {
    proxy_geography: ({ country, usedIn }, { country: name }) =>
      `some factors describe another country (${name(country)}) and serve as an approximation ${usedIn ? `for ${name(usedIn)}` : 'here'}`,
    grid_average: () =>
      'electricity is counted with the country’s average generation, without grid losses, the upstream of its fuels or generators on site',
    grid_differs: ({ country, value, otherValue, otherYear }, { number, country: name }) =>
      `the two editions of the grid factor differ by more than 20 % (${name(country)}: ${number(value)} against ${number(otherValue)} kgCO2e/kWh for ${otherYear})`,
    grid_old: ({ country, year }, { country: name }) =>
      `the latest published grid factor is that of ${year} (${name(country)})`,
    secondary_source: () =>
      'a factor was read in a secondary source: check it against the original before an audit',
    co2_only: () => 'a fuel factor covers CO2 only, without CH4 and N2O',
    biogenic_apart: () =>
      'for biomass only CH4 and N2O are counted; its CO2 is declared outside the scopes and is neutral only if the wood grows back',
    net_calorific: () => 'kWh of fuel are taken on the net calorific value',
    warming_potential: ({ set }) => `gases are converted with the 100-year warming potentials of IPCC ${set}`,
    one_passenger: () => 'kilometres by public transport or plane are counted for one passenger',
    upstream_left_out: () => 'producing and delivering the fuels (scope 3) is not included',
    upstream_unknown: () => 'for a fuel there is no factor for its production and delivery in this unit',
    fuel_is_better: () =>
      'vehicle kilometres assume a UK fleet: the fuel actually burnt is more reliable when it is known',
    radiative_forcing: () => 'flights include the warming effect of high altitude (radiative forcing)',
    open_dump: () => 'landfill factors assume a managed site; an open dump may emit more',
    montreal_gas: () =>
      'R22, R12 and R123 are Montreal Protocol gases and are reported apart from the Kyoto gases, outside the scopes and the total',
    world_average: () =>
      'food factors are world averages of 2010 with a wide spread, for what is bought, not for one’s own fields and herds',
    counted_twice: () =>
      'fuel and vehicle kilometres are both given: the same vehicles must not be counted twice',
    profile_country: ({ country }, { country: name }) =>
      `no country was given: that of the company’s profile was taken (${name(country)})`,
  },
  refusals: {
    unknown_activity: () => 'no such activity is known',
    bad_quantity: () => 'the quantity must be above zero and at most 10¹²',
    wrong_unit: ({ units }, { list, unit }) => `the unit does not fit; possible: ${list(units.map(unit))}`,
    country_needed: () => 'the country is needed',
    no_grid_factor: () => 'there is no electricity factor for this country',
    zero_grid_factor: () =>
      'the published factor is 0, which is a gap in the data and not electricity without emissions',
    no_country_factor: ({ country, countries }, { list, country: name }) =>
      `there is no factor for ${name(country)}; known: ${list(countries.map(name))}`,
    no_factor: () => 'no open source gives a factor; ask the supplier for one',
  },
};
