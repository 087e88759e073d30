import type { Quantity } from '../../reading/numbers/quantity.js';
import type { Reading } from '../../reading/read.js';

/** The quantities that measure something used: neither money nor shares nor time. */
export const measuresIn = ({ quantities }: Reading): Quantity[] =>
  quantities.filter(({ unit }) => unit && !['money', 'share', 'time'].includes(unit.dimension));
