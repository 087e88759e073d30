/** Node's timers hold no more; a token that lasts longer is looked at again then. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Calls `act` when a token expires, unless the function that it gives is called before. Null: it does not expire. */
export const atExpiry = (expiresAt: Date | null, act: () => void): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  const arm = (end: number): void => {
    const left = end - Date.now();
    if (left <= 0) act();
    else timer = setTimeout(() => arm(end), Math.min(left, LONGEST_TIMER_MS));
  };
  if (expiresAt) arm(expiresAt.getTime());
  return () => clearTimeout(timer);
};
