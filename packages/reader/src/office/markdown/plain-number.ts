/** A number as a file has it, without the noise of binary fractions: 0.30000000000000004 is 0.3. Null: it is none. */
export function plainNumber(value: string): string | null {
  const trimmed = value.trim();
  const number = Number(trimmed);
  if (trimmed === '' || !Number.isFinite(number)) return null;
  // More digits than a binary fraction holds are somebody's own, such as those of an account.
  if (/^[+-]?\d{16,}$/.test(trimmed)) return trimmed;
  const rounded = Number(number.toPrecision(15));
  return withoutExponent(Object.is(rounded, -0) ? 0 : rounded);
}

function withoutExponent(number: number): string {
  const text = String(number);
  if (!text.includes('e')) return text;
  const size = Math.abs(number);
  if (size >= 1e21 || size < 1e-15) return text;
  return number.toFixed(Math.min(20, 15 - Math.floor(Math.log10(size)))).replace(/\.?0+$/, '');
}
