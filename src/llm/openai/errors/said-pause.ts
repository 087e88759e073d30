const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
type Unit = keyof typeof unitMs;

/** `1m2.5s`, `350ms`, `10 seconds`. Longer names of a unit come before those that they begin with. */
const piece = String.raw`(\d+(?:\.\d+)?) ?(milliseconds?|ms|minutes?|min|m|hours?|h|seconds?|sec|s)(?![a-z])`;
const pauseSaid = [
  // Google's RetryInfo, also where a gateway quotes it
  new RegExp(String.raw`\bretryDelay\W{1,8}((?:${piece} ?)+)`, 'i'),
  // Groq and OpenAI: `try again in 1m2.5s`; Google: `retry in 20.3s`; Azure: `retry after 10 seconds`
  new RegExp(String.raw`\b(?:try again|retry) (?:in|after) ((?:${piece} ?)+)`, 'i'),
];

/** Milliseconds that the words of an error ask to wait for; undefined: they do not say. */
export function saidPauseMs(words: string): number | undefined {
  for (const pattern of pauseSaid) {
    const said = pattern.exec(words)?.[1];
    if (said === undefined) continue;
    const pieces = [...said.matchAll(new RegExp(piece, 'gi'))];
    return Math.round(pieces.reduce((sum, [, number, unit = '']) => sum + Number(number) * msOf(unit), 0));
  }
  return undefined;
}

const msOf = (unit: string): number => {
  const name = unit.toLowerCase();
  const short: Unit = name === 'ms' || name.startsWith('milli') ? 'ms' : (name.charAt(0) as Unit);
  return unitMs[short];
};
