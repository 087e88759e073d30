const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/**
 * Whether `value` is so many times `step`, as both are written: 19.99 is a multiple of 0.01, although the one divided by
 * the other is 1998.9999999999998.
 */
export const isMultipleOf = (value: number, step: number): boolean => {
  const [whole, part] = [decimalOf(value), decimalOf(step)];
  if (!whole || !part) return false;
  const exponent = Math.min(whole.exponent, part.exponent);
  return scaled(whole, exponent) % scaled(part, exponent) === 0n;
};

interface Decimal {
  digits: bigint;
  exponent: number;
}

/** Without its sign, as digits × 10^exponent; null: it is infinite. */
const decimalOf = (number: number): Decimal | null => {
  const [found, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(String(number)) ?? [];
  if (found === undefined) return null;
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
};

const scaled = ({ digits, exponent }: Decimal, to: number): bigint => digits * 10n ** BigInt(exponent - to);
