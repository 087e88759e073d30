import { pageList } from './page-list.js';

it.each([
  [[3], 'Page 3'],
  [[3, 7], 'Pages 3 and 7'],
  [[3, 4], 'Pages 3, 4'],
  [[1, 2, 3, 7, 9, 10], 'Pages 1–3, 7 and 9, 10'],
  [
    [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27],
    'Pages 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23 and 2 more places',
  ],
])('names %j', (pages, list) => {
  expect(pageList(pages)).toBe(list);
});
