const secondsIn = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

const MAX_DAYS = 365;

/** Seconds in a duration such as 30s, 15m, 1h or 7d; null when it is none, or longer than 365 days. */
export const parseDuration = (text: string): number | null => {
  const [, digits, unit] = /^([1-9]\d{0,8})([smhd])$/.exec(text) ?? [];
  if (!digits || !unit) return null;
  const seconds = Number(digits) * secondsIn[unit as keyof typeof secondsIn];
  return seconds <= MAX_DAYS * secondsIn.d ? seconds : null;
};
