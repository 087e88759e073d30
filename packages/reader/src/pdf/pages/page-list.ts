const MAX_RANGES = 12;

/** "Page 3", "Pages 3, 7 and 9–12". The pages are ascending; long lists are cut. */
export function pageList(pages: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const page of pages) {
    const range = ranges.at(-1);
    if (range && range.last === page - 1) range.last = page;
    else ranges.push({ first: page, last: page });
  }
  const names = ranges.map(({ first, last }) =>
    last === first ? `${first}` : last === first + 1 ? `${first}, ${last}` : `${first}–${last}`,
  );
  const told = names.slice(0, MAX_RANGES);
  const rest = names.length - told.length;
  const end = rest > 0 ? [`${rest} more places`] : told.splice(-1);
  const list = told.length > 0 ? `${told.join(', ')} and ${end.join('')}` : end.join('');
  return `${pages.length === 1 ? 'Page' : 'Pages'} ${list}`;
}
