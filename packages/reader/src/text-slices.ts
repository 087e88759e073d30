const ENDS = ['\n\n', '\n', ' '];

/**
 * Cuts a text into slices of at most `most` characters without loss. A cut is between blocks, lines or words in the
 * second half of a slice, else anywhere between characters.
 */
export function* slicesOf(text: string, most: number): Generator<string> {
  let start = 0;
  do {
    const end = endOfSlice(text, start, most);
    yield text.slice(start, end);
    start = end;
  } while (start < text.length);
}

function endOfSlice(text: string, start: number, most: number): number {
  const end = start + most;
  if (end >= text.length) return text.length;
  // Only in the second half: without any blank, the whole text would be searched each time.
  const half = text.slice(start + most / 2, end);
  for (const sign of ENDS) {
    const found = half.lastIndexOf(sign);
    if (found !== -1) return start + most / 2 + found + sign.length;
  }
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
}
