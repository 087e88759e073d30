import { decodeText } from './page-text.js';

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
function withMark(text: string): Buffer {
  return Buffer.from(`\ufeff${text}`, 'utf16le');
}

it.each<[string, Uint8Array, string, string]>([
  ['its header', latin1('é'), 'text/html; charset=ISO-8859-1', 'é'],
  ['its header in quotes', Buffer.from([0xa4, 0xa4]), 'text/html; charset="Big5"', '中'],
  [
    'its meta element',
    latin1('<meta charset="windows-1252">é'),
    'text/html',
    '<meta charset="windows-1252">é',
  ],
  [
    'its older meta element',
    latin1('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-15">¤'),
    '',
    '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-15">€',
  ],
  [
    'the first meta element that does',
    latin1('<meta name="a"><meta charset = " iso-8859-15 "><meta charset="utf-8">¤'),
    'text/html',
    '<meta name="a"><meta charset = " iso-8859-15 "><meta charset="utf-8">€',
  ],
  [
    'its XML declaration',
    latin1('<?xml version="1.0" encoding="latin1"?>é'),
    '',
    '<?xml version="1.0" encoding="latin1"?>é',
  ],
  ['its mark, whatever the header says', withMark('é'), 'text/plain; charset=utf-8', 'é'],
  ['its mark in UTF-8', Buffer.from('\ufeffé'), 'text/plain; charset=latin1', 'é'],
  ['nothing, and is UTF-8', Buffer.from('é中'), 'text/html', 'é中'],
  ['nothing, and is not UTF-8', latin1('café noir'), 'text/html', 'café noir'],
  ['a name that does not exist', Buffer.from('é'), 'text/html; charset=klingon', 'é'],
  ['nothing, and is cut inside a character', Buffer.from('é中').subarray(0, 4), '', 'é'],
  ['nothing, and is empty', Buffer.alloc(0), '', ''],
])('text whose encoding is told by %s', (_, bytes, contentType, expected) => {
  expect(decodeText(bytes, contentType)).toBe(expected);
});

it.each(['text/html; charset=ISO-8859-1', 'text/html; charset=windows-1252', ''])(
  'a page of windows-1252 (%j) has its quotes and its euro on every version of Node',
  (contentType) => {
    const page = latin1('l\x92\xe9t\xe9 \x80');
    expect(decodeText(page, contentType)).toBe('l’été €');
  },
);

it.each([
  `${'<meta'.repeat(300)} charset=${'\t'.repeat(2_590)}`,
  `${'<meta charset='.repeat(100)}${'\t'.repeat(2_690)}`,
  `<?xml${' encoding='.repeat(200)}${'\t'.repeat(2_000)}`,
])('a page whose beginning is made to be tried in every way holds nobody up', (page) => {
  // A backtracking expression would take seconds each time.
  for (let times = 0; times < 100; times += 1) expect(decodeText(latin1(page), 'text/html')).toBe(page);
});
