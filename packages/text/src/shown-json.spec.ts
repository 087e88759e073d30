import { shownJson } from './shown-json.js';

it.each([
  ['what turns the direction', 'awa@acme.test\u202etset.live@', String.raw`awa@acme.test\u202etset.live@`],
  ['what has no width', 'pay\u200b\u2060', String.raw`pay\u200b\u2060`],
  ['letters for machines alone', 'a\u{e0041}', String.raw`a\udb40\udc41`],
  ['what divides lines', 'a\u2028b', String.raw`a\u2028b`],
  ['a control', '\u007f\u009b', String.raw`\u007f\u009b`],
  ['a row of joiners', 'a\u200d\u200d\u200db', String.raw`a\u200d\u200d\u200db`],
  ['a row of selectors', '❤\ufe0f\ufe0e\ufe0f', String.raw`❤\ufe0f\ufe0e\ufe0f`],
  ['a filler', '\u3164', String.raw`\u3164`],
])('%s is seen', (_, text, shown) => {
  const json = shownJson({ to: text });
  expect(json).toBe(`{\n  "to": "${shown}"\n}`);
  expect(JSON.parse(json)).toEqual({ to: text });
});

it('what languages and emoji need stays as it is', () => {
  for (const text of ['می‌خواهم', '👩‍🌾', '❤️']) expect(shownJson(text)).toBe(`"${text}"`);
});
