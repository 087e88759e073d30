export interface Money {
  value: number;
  /** ISO 4217. */
  currency: string;
}

/**
 * Both CFA francs are tied to the euro at 655.957 by law (Council decision 98/683/EC and the agreements with the two
 * central banks): the only rate that does not age. Nothing else is converted.
 */
export const francsPerEuro = 655.957;

const perEuro: ReadonlyMap<string, number> = new Map([
  ['EUR', 1],
  ['XOF', francsPerEuro],
  ['XAF', francsPerEuro],
]);

/** The same amount in another currency; null where there is no fixed parity between the two. */
export function inCurrency({ value, currency }: Money, wanted: string): number | null {
  if (currency === wanted) return value;
  const [from, to] = [perEuro.get(currency), perEuro.get(wanted)];
  return from && to ? (value / from) * to : null;
}
