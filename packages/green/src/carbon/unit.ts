/** Units of quantities: what each measures, and its size in the dimension's base unit. */
export const units = {
  kWh: { dimension: 'energy', size: 1 },
  MWh: { dimension: 'energy', size: 1000 },
  litre: { dimension: 'volume', size: 1 },
  m3: { dimension: 'volume', size: 1000 },
  kg: { dimension: 'mass', size: 1 },
  tonne: { dimension: 'mass', size: 1000 },
  km: { dimension: 'distance', size: 1 },
  passenger_km: { dimension: 'passenger distance', size: 1 },
  tonne_km: { dimension: 'freight distance', size: 1 },
  night: { dimension: 'nights', size: 1 },
} as const satisfies Record<string, { dimension: string; size: number }>;

export type Unit = keyof typeof units;
export type Dimension = (typeof units)[Unit]['dimension'];

export const unitNames = Object.keys(units) as Unit[];

export function isUnit(text: string): text is Unit {
  return Object.hasOwn(units, text);
}

/** The denominators of factors as the reference data writes them. Absent on purpose: kWh PCS, t clinker. */
const denominators: Readonly<Record<string, Unit>> = {
  kWh: 'kWh',
  'kWh PCI': 'kWh',
  L: 'litre',
  m3: 'm3',
  kg: 'kg',
  t: 'tonne',
  km: 'km',
  'passager.km': 'passenger_km',
  't.km': 'tonne_km',
  nuitée: 'night',
};

/** Reads a factor's unit such as `kgCO2e/L`. Null: its denominator cannot be counted here. */
export function parseFactorUnit(text: string): { gas: 'CO2e' | 'CO2'; per: Unit } | null {
  const [, gas, per = ''] = /^kg(CO2e?)\/(.+)$/.exec(text) ?? [];
  const unit = denominators[per];
  return unit && (gas === 'CO2e' || gas === 'CO2') ? { gas, per: unit } : null;
}

/** Kilometres count as passenger-kilometres of one person. The caller has to say so. */
export function isOnePassenger(from: Unit, to: Unit): boolean {
  return from === 'km' && to === 'passenger_km';
}

/** Whether a quantity in `from` can be counted in `to`. */
export function isConvertible(from: Unit, to: Unit): boolean {
  return units[from].dimension === units[to].dimension || isOnePassenger(from, to);
}

/** Converts `quantity`. Throws RangeError when the units measure different things. */
export function convert(quantity: number, from: Unit, to: Unit): number {
  if (!isConvertible(from, to)) throw new RangeError(`${from} cannot be counted in ${to}.`);
  return (quantity * units[from].size) / units[to].size;
}
