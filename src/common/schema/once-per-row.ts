/**
 * Calls `make` once for each row: fields that are resolved one by one but belong together, like `url` and `urlExpiresAt`,
 * share what it gives.
 */
export function oncePerRow<Row extends object, Context extends unknown[], Made extends object | null>(
  make: (row: Row, ...context: Context) => Made,
): (row: Row, ...context: Context) => Made {
  const made = new WeakMap<Row, Made>();
  return (row, ...context) => {
    const known = made.get(row);
    if (known !== undefined) return known;
    const value = make(row, ...context);
    made.set(row, value);
    return value;
  };
}
