/** A number without the noise of binary fractions: 0.30000000000000004 becomes 0.3. Null: it is no number. */
export function plainNumber(value: string): string | null {
  const trimmed = value.trim();
  const number = Number(trimmed);
  if (trimmed === '' || !Number.isFinite(number)) return null;
  // Longer than a double can hold: the digits were typed, such as those of an account.
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
