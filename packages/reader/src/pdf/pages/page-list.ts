const MAX_RANGES = 12;

/** Such as 3, 7, 9–12. The pages are ascending; long lists are cut. */
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
  return [...names.slice(0, MAX_RANGES), ...(names.length > MAX_RANGES ? ['…'] : [])].join(', ');
}
