/** A text on one line, cut between words where it is longer than `longest`. */
export function shortened(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest).replace(/\s\S*$/, '')}…`;
}
