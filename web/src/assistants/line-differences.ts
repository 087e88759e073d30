export interface Line {
  text: string;
  change: 'same' | 'added' | 'removed';
}

/** What became of one text, line by line, by the longest common subsequence. */
export function lineDifferences(before: string, after: string): Line[] {
  const [old, young] = [before.split('\n'), after.split('\n')];
  const common = commonLengths(old, young);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < young.length) {
    if (i < old.length && j < young.length && old[i] === young[j]) {
      lines.push({ text: old[i] ?? '', change: 'same' });
      i += 1;
      j += 1;
    } else if (
      j >= young.length ||
      (i < old.length && lengthAt(common, i + 1, j) >= lengthAt(common, i, j + 1))
    ) {
      lines.push({ text: old[i] ?? '', change: 'removed' });
      i += 1;
    } else {
      lines.push({ text: young[j] ?? '', change: 'added' });
      j += 1;
    }
  }
  return lines;
}

/** At [i][j]: how many lines `old` from i on and `young` from j on have in common, in order. */
function commonLengths(old: readonly string[], young: readonly string[]): number[][] {
  const lengths: number[][] = [];
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const row: number[] = [];
    for (let j = young.length - 1; j >= 0; j -= 1) {
      const isSame = old[i] === young[j];
      row[j] = isSame
        ? lengthAt(lengths, i + 1, j + 1) + 1
        : Math.max(lengthAt(lengths, i + 1, j), row[j + 1] ?? 0);
    }
    lengths[i] = row;
  }
  return lengths;
}

function lengthAt(lengths: readonly number[][], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}
