import fc from 'fast-check';

import { DocumentRefused, type ParsedSummary } from '../parsed-document.js';
import { inEnglish } from '../remarks.js';
import { readText } from './read-text.js';

interface Read extends Omit<ParsedSummary, 'warnings'> {
  markdown: string[];
  warnings: string[];
}

async function read(content: string | Uint8Array, name = 'a.txt'): Promise<Read> {
  const pages = readText({ bytes: Buffer.from(content), name });
  const markdown: string[] = [];
  for (;;) {
    const { done, value } = await pages.next();
    if (done) return { markdown, ...value, warnings: value.warnings.map(inEnglish) };
    markdown.push(value.markdown);
  }
}

async function markdownOf(content: string | Uint8Array, name?: string): Promise<string> {
  return (await read(content, name)).markdown.join('\n\n');
}

async function reasonOf(content: string | Uint8Array, name?: string): Promise<string> {
  const error: unknown = await read(content, name).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(DocumentRefused);
  return (error as Error).message;
}

describe('what kind of text a file is', () => {
  it.each([
    ['text', 'a.txt', 'Bonjour.\nVoilà.'],
    ['text', 'a.txt', 'if a < b and b > c'],
    ['text', 'a.sh', '#!/bin/sh\n# a comment\n\n- x'],
    ['text', 'a.txt', 'BM is where it begins, MZ follows'],
    ['text', 'a', 'GIF89a is a format'],
    ['text', 'a.json', '{"a": 1}'],
    ['text', 'a.html', 'no tag at all'],
    ['markdown', 'a.md', 'no sign at all'],
    ['markdown', 'a.txt', '# Title\n\n- one\n- two\n'],
    ['html', 'a.txt', '<!DOCTYPE html>\n<title>a</title><p>b'],
    ['html', 'a.txt', '<!-- a -->\n<html lang="fr"><body>b'],
    ['html', 'a.htm', 'Bonjour<br>à tous'],
    ['html', 'a', '<div><p>a</p><p>b</p><p>c</p><p>d</p></div>'],
    ['html', 'a.txt', '<?xml version="1.0"?>\n<!-- a > b -->\n<!---->\n<html>'],
    ['text', 'a.txt', '<!-- a -->\n<!-- <html> -->\nb'],
    ['html', 'a.md', '<!doctype html>\n<p>a'],
    ['markdown', 'a.md', `<h1>a</h1>${'<b>c</b>'.repeat(9)}`],
    ['markdown', 'README', `<h1>a</h1>${'<b>c</b>'.repeat(9)}\n\n## d\n\n- e`],
    ['text', 'README', `<h1>a</h1>${'<b>c</b>'.repeat(9)}\n\n\`\`\`\nd\n\`\`\``],
    ['html', 'a.html', `<h1>a</h1>${'<b>c</b>'.repeat(9)}<pre>\n# d`],
    ['csv', 'a.csv', 'a,b\n1,2\n'],
    ['csv', 'A.TSV', 'a\tb\n1\t2\n'],
    ['text', 'a.txt', 'a,b\n1,2\n'],
    ['csv', 'a.txt', `Name;2023;Unit\n${'x;1,5;kWh\n'.repeat(9)}`],
    ['csv', 'a', `"The name","b, c"\n${'"x, y\nz",1\n'.repeat(9)}`],
    ['csv', 'a.txt', `a\tb\n${'said, done\t1\n'.repeat(900)}`],
    ['text', 'a.txt', `a;b\n${'x;1\n'.repeat(8)}`],
    ['text', 'a.txt', `a;b\n${'x;1\n'.repeat(9)}x\n`],
    ['text', 'a.txt', `a;b\n${`${'x'.repeat(101)};1\n`.repeat(9)}`],
    ['text', 'a.txt', 'The more, the better.\n'.repeat(20)],
    ['text', 'a.txt', '2024-01-01 10:00:00,123 INFO ready\n'.repeat(20)],
    ['text', 'a.txt', 'x = 1;\n'.repeat(20)],
    ['text', 'a.txt', '{"a":1,"b":2}\n'.repeat(20)],
    ['text', 'a.sql', `a,b\n${'1,2\n'.repeat(20)}`],
  ])('is %s for %s: %s', async (format, name, content) => {
    expect((await read(content, name)).format).toBe(format);
  });
});

// Trying every way to split such a text would never end.
it.each([
  ['comments', '<!-- a -->\n'],
  ['comments that are not closed', '<!-- a '],
  ['blank lines', '\n'],
  ['lists', '- a\n'],
  ['brackets', '['],
  ['rules', '--- '],
  ['one tag', 'a'],
])(
  'is told at once for many %s',
  async (_, part) => {
    const content = `<a${'<!-- a -->'.repeat(2)}${part.repeat(20_000 / part.length)}b`;
    for (const text of [content, content.slice(2), `# a\n\n${content}`])
      expect((await read(text, 'a.html')).format).toMatch(/^(?:html|text|markdown)$/);
  },
  5000,
);

describe('a mail', () => {
  const headers = 'From: a@example.org\nTo: b@example.org\nSubject: Réunion\n';

  it.each([
    ['a mail', `${headers}MIME-Version: 1.0\nContent-Type: multipart/mixed;\n\tboundary=B\n\n--B\n`],
    ['one as a server has it', `Received: from a\n by b;\r\n Mon\r\n${headers}\r\nHello.`],
    ['a mailbox', `From a@example.org Mon Jan 1 00:00:00 2024\n${headers}Message-ID: <1@a>\n\nHello.`],
  ])('is refused by its name: %s', async (_, content) => {
    expect(await reasonOf(content)).toMatch(/^This is an e-mail \(\.eml\)\. Save it as a PDF/);
  });

  it.each([
    'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="B"\n\n--B\n',
    'From: <Saved by Blink>\nSubject: a\nMIME-Version: 1.0\nContent-Type: multipart/related;\n type="text/html"\n\n',
  ])('may be a page: %j', async (content) => {
    expect(await reasonOf(content, 'a.html')).toMatch(/^This is a web page in a single file \(\.mhtml\)/);
  });

  it.each([
    `${headers}\nHello.`,
    `${headers}Sent: Monday\nHello, MIME-Version: 1.0 is a header.`,
    'MIME-Version: 1.0\n\nis what a mail has.',
    'Message-ID: what every mail has\nand From: as well.',
    `A mail:\n\n${headers}MIME-Version: 1.0\n\nHello.`,
  ])('is none where somebody writes of one: %j', async (content) => {
    expect((await read(content)).format).toBe('text');
  });
});

describe('a text', () => {
  it('is given as it is, in pieces cut between blocks', async () => {
    const paragraphs = Array.from({ length: 100 }, (_, index) => `${index} ${'abc '.repeat(300)}`.trim());
    const { markdown, pages, mediaType } = await read(paragraphs.join('\r\n\r\n'));
    expect([pages, mediaType]).toEqual([null, 'text/plain']);
    expect(markdown.join('\n\n')).toBe(paragraphs.join('\n\n'));
    expect(markdown.length).toBeGreaterThan(2);
    for (const piece of markdown) expect(piece.length).toBeLessThan(50_000);
  });

  it('keeps together what stands between fences', async () => {
    const code = `\`\`\`\n${'a\n\n'.repeat(20)}\`\`\``;
    expect(await markdownOf(`# A\n\n${code}\n\nend`, 'a.md')).toBe(`# A\n\n${code}\n\nend`);
  });

  it('without a blank line is cut between lines, whose indentation it keeps', async () => {
    const line = (index: number): string => `    entry ${index}: { "value": 1 }`;
    const lines = Array.from({ length: 5000 }, (_, index) => line(index));
    const { markdown } = await read(lines.join('\n'), 'a.json');
    expect(markdown.length).toBeGreaterThan(2);
    expect(markdown.join('\n')).toBe(lines.join('\n'));
  });

  it('repeats the head of a long table, and tears none of its rows', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => `| n${index} | some more \\| text |`);
    const table = ['| number | text |', '|---:|---|', ...rows];
    const { markdown } = await read(['# Title', 'Above:', ...table, 'Below.'].join('\n'), 'a.md');
    expect(markdown.length).toBeGreaterThan(1);
    const blocks = markdown.join('\n\n').split('\n\n');
    expect([blocks.shift(), blocks.pop()]).toEqual(['# Title\nAbove:', 'Below.']);
    for (const block of blocks) expect(block.startsWith('| number | text |\n|---:|---|\n| n')).toBe(true);
    expect(blocks.flatMap((block) => block.split('\n').slice(2))).toEqual(rows);
  });

  it.each([
    ['---\ntitle: "Le titre"\ntags: [a]\n---\n\nText', '# Le titre\n\nText'],
    ['---\ntitle: a\n---\n# Own\n\nText', '# Own\n\nText'],
    ['+++\ndate = 1\n+++\nText', 'Text'],
    ['+++\n#draft\ntags = [\n  "a",\n]\n\n[params.b]\nc = 1\n+++\nText', 'Text'],
    ['---\nauthors:\n- a\n- b\n"x-y": >\n  long\n\n  text\n...\nText', 'Text'],
    ['---\n\nA rule above.\n\n---\n', '---\n\nA rule above.\n\n---'],
  ])('leaves the front matter of Markdown out: %j', async (content, expected) => {
    expect(await markdownOf(content, 'a.md')).toBe(expected);
  });

  it.each([
    '---\n\n# 2023\n\nTotal: 12 t\n\n---\n\n## End',
    '---\n\ntotal: 12 t\n\n---\n\nEnd',
    '---\nThe total is this.\ntotal: 12 t\n---\n\nEnd',
    '---\ntotal: 12 t\n# 2023\n---\n\nEnd',
    '---\nhttp://example.org\n---\n\nEnd',
    '---\n- a\n- b\n---\n\nEnd',
  ])('keeps what stands between two rules: %j', async (content) => {
    expect(await markdownOf(content, 'a.md')).toBe(content);
  });

  it('is refused when it is none, or when there is nothing in it', async () => {
    expect(await reasonOf(Buffer.alloc(1000))).toMatch(/^This is neither a text nor a document/);
    expect(
      await reasonOf(Buffer.from(Array.from({ length: 1000 }, (_, index) => (index * 7) % 256))),
    ).toMatch(/^This is neither a text nor a document/);
    expect(await reasonOf(' \n\t\r\n')).toBe('The file has nothing in it but blanks.');
    expect(await reasonOf('<svg xmlns="http://www.w3.org/2000/svg"><text>a</text></svg>')).toMatch(
      /picture \(SVG\)/,
    );
    expect(await reasonOf('%!PS-Adobe-3.0\n(a) show')).toMatch(/PostScript/);
    expect(
      await reasonOf('<?xml version="1.0"?>\n<?mso-application progid="Word.Document"?>\n<w:wordDocument/>'),
    ).toMatch(/XML of 2003/);
  });

  it('has lines that end in other ways', async () => {
    expect(await markdownOf('one\vtwo\fthree\u2028four\x85five\rsix')).toBe(
      'one\ntwo\nthree\nfour\nfive\nsix',
    );
    expect(await markdownOf('# one\vtwo', 'a.md')).toBe('# one\ntwo');
    expect(await markdownOf('a,b\none\vtwo,3', 'a.csv')).toBe('| a | b |\n| --- | --- |\n| one two | 3 |');
  });

  it('is read without the colours of a terminal', async () => {
    const { markdown, warnings } = await read(
      '\x1b[1;32mINFO\x1b[0m ready\x1b[K\x1b]0;title\x07\x1b(B\n'.repeat(30),
      'a.log',
    );
    expect([markdown, warnings]).toEqual([['INFO ready\n'.repeat(30).trim()], []]);
  });

  it('is read without the zeros that it is filled up with, unless there is more that no text has', async () => {
    const padded = await read('id,name\n1,Anna\0\0\0\0\n2,Bert\0\0\0\0\n', 'a.csv');
    expect(padded.markdown).toEqual(['| id | name |\n| --- | --- |\n| 1 | Anna |\n| 2 | Bert |']);
    expect(padded.warnings).toEqual([expect.stringMatching(/^The file has zeros/)]);
    expect(await markdownOf(`The\0last\0line.\n${'\0'.repeat(9000)}`)).toBe('The last line.');
    expect(await markdownOf('Dakar\0Thiès\0Mbour\0Louga\0')).toBe('Dakar Thiès Mbour Louga');
    expect(await reasonOf('The\0\0\0last\x01line')).toMatch(/^This is neither .* there are zeros/);
    expect(await reasonOf(`ab${'\0'.repeat(2001)}c`)).toMatch(/^This is neither .* there are zeros/);
  });

  it('says what could not be read of it', async () => {
    const good = 'Les émissions ont été réduites. '.repeat(20);
    expect((await read(good)).warnings).toEqual([]);
    const broken = Buffer.concat([Buffer.from(good), Buffer.from([0xe9, 0x20, 0xe8])]);
    expect((await read(broken)).warnings).toEqual(['2 characters could not be read.']);
    const twice = Buffer.from(Buffer.from(good).toString('latin1'));
    expect((await read(twice)).warnings).toEqual([expect.stringMatching(/^Some of the text is garbled/)]);
  });

  it('does no harm, whatever its bytes are', async () => {
    const signs = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '#',
      '|',
      '-',
      '```',
      '\n',
      '\n\n',
      ',',
      ';',
      '\t',
      '&',
      '<table>',
      '<td>',
      '</p>',
      '<li>',
      '\0',
      '\ufeff',
      'é',
      '漢',
      'a',
    );
    const texts = fc.array(signs, { maxLength: 200 }).map((parts) => Buffer.from(parts.join('')));
    const names = fc.constantFrom('a.txt', 'a.md', 'a.csv', 'a.html', '', 'a.tsv');
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 300 }), texts), names, async (bytes, name) => {
        try {
          const { markdown } = await read(bytes, name);
          expect(markdown.every((piece) => piece.length < 100_000)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(DocumentRefused);
          expect((error as Error).message).not.toMatch(/damaged/);
        }
      }),
      // A fixed seed: a failure must be caused by the tested change.
      { seed: 20_240, numRuns: 500 },
    );
  });
});

describe('a table of separated values', () => {
  it('becomes one of Markdown, whatever stands between the values', async () => {
    const expected = '| a | b |\n| --- | --- |\n| 1,5 | x \\| y |';
    expect(await markdownOf('a,b\n"1,5",x | y\n', 'a.csv')).toBe(expected);
    expect(await markdownOf('a;b\n1,5;x | y\n', 'a.csv')).toBe(expected);
    expect(await markdownOf('sep=;\na;b\n1,5;x | y\n', 'a.csv')).toBe(expected);
    expect(await markdownOf('a\tb\r\n1,5\tx | y', 'a.tsv')).toBe(expected);
  });

  it.each([
    ['addresses', 'a.csv', `name;place\n${'Y;2 rue A, B, D\n'.repeat(9)}`, '| Y | 2 rue A, B, D |'],
    ['addresses alone', 'a.csv', 'X;1 rue A, B, C\nY;2 rue A, B, D', '| Y | 2 rue A, B, D |'],
    ['decimals', 'a.csv', `lat;lon;t\n${'14,6;-17,4;0,5\n'.repeat(30)}`, '| 14,6 | -17,4 | 0,5 |'],
    ['decimals alone', 'a.csv', '14,6;-17,4\n14,7;-17,5', '| 14,7 | -17,5 |'],
    ['decimals of integers alone', 'a.csv', '1,2,3\n4,5,6', '| 4 | 5 | 6 |'],
    ['commas and tabs', 'a.tsv', 'n\tm\t\na, b, c\t1\nd, e, f\t2', '| a, b, c | 1 |  |'],
    ['no tab', 'a.tsv', 'a,b\n1,2', '| 1 | 2 |'],
    ['bars and commas', 'a.psv', 'a|b\nx, y|1\nz, w|2', '| x, y | 1 |'],
    ['rows of any length', 'a.csv', 'a,b\nc,d;e,f\ng,h,i,j;k,l\nm,n,o', '| c | d;e | f |'],
  ])('tells what stands between values by the lines that have as many of it: %s', async (...given) => {
    const [, name, content, row] = given;
    expect((await markdownOf(content, name)).split('\n')).toContainEqual(expect.stringContaining(row));
  });

  it('may have values over several lines, rows of any length and empty ones', async () => {
    const content = 'a,b\n"1\n""one""",2\n\n,\n3\n4,5,6\n';
    expect(await markdownOf(content, 'a.csv')).toBe(
      '| a | b |  |\n| --- | --- | --- |\n| 1 "one" | 2 |  |\n| 3 |  |  |\n| 4 | 5 | 6 |',
    );
  });

  it('may have blanks before its values and their quotation marks', async () => {
    const content = 'a, b, c\n1, "2, 3", 4\n, ,\n5,   6," 7"\n8, say "no", 9\n10\t"11",\n';
    expect(await markdownOf(content, 'a.csv')).toBe(
      '| a | b | c |\n| --- | --- | --- |\n| 1 | 2, 3 | 4 |\n| 5 | 6 | 7 |\n| 8 | say "no" | 9 |\n| 10 "11" |  |  |',
    );
    expect(await markdownOf('a\tb\tc\n\t\t1\n2\t "3\t4"\t', 'a.tsv')).toBe(
      '| a | b | c |\n| --- | --- | --- |\n|  |  | 1 |\n| 2 | 3 4 |  |',
    );
  });

  it('repeats its head in each piece, and loses no row', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => `n${index},some more text`);
    const { markdown } = await read(['number,text', ...rows].join('\n'), 'a.csv');
    expect(markdown.length).toBeGreaterThan(5);
    for (const piece of markdown)
      expect(piece.startsWith('| number | text |\n| --- | --- |\n| n')).toBe(true);
    expect(markdown.join('\n').match(/^\| n\d+ /gm)).toHaveLength(5000);
  });

  it('goes on where a quotation mark is never closed, and says so', async () => {
    const rows = Array.from({ length: 100 }, (_, index) =>
      `${index},"size ${index}`.replace('"', index === 50 ? '"' : ''),
    );
    const { markdown, warnings } = await read(['a,b', ...rows].join('\n'), 'a.csv');
    expect(markdown.join('\n')).toContain('| 99 | size 99 |');
    expect(warnings).toEqual([expect.stringMatching(/quotation marks/)]);
  });

  it('is told as records where it is very wide or has whole texts in it', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `c${index}`);
    expect(await markdownOf(`${names.join(',')}\n1,,3\n4\n`, 'a.csv')).toBe('- c0: 1\n- c2: 3\n\n- c0: 4');
    const long = 'word '.repeat(500).trim();
    expect(await markdownOf(`a,b\n1,${long}\n`, 'a.csv')).toBe(`- a: 1\n- b: ${long}`);
  });

  it('has its head below lines with a single text, as a bank puts above a table', async () => {
    const content =
      'Relevé de compte;;\nDu 01/01/2024;;\n\nDate;Libellé;Montant\n02/01;Loyer;-800\n;Solde;\n';
    expect(await markdownOf(content, 'a.csv')).toBe(
      'Relevé de compte\n\nDu 01/01/2024\n\n| Date | Libellé | Montant |\n| --- | --- | --- |\n| 02/01 | Loyer | -800 |\n|  | Solde |  |',
    );
    const rows = Array.from({ length: 3000 }, (_, index) => `n${index};some more text`);
    const { markdown } = await read(['# 1', 'number;text', ...rows].join('\n'), 'a.csv');
    expect(markdown[0]).toBe('\\# 1');
    for (const piece of markdown.slice(1)) expect(piece.startsWith('| number | text |\n')).toBe(true);
    expect(markdown.join('\n').match(/^\| n\d+ /gm)).toHaveLength(3000);
  });

  it.each([
    ['a single column', 'city\nDakar\nThiès\n', '| city |\n| --- |\n| Dakar |\n| Thiès |'],
    [
      'a single column but for a comma',
      'said\nyes\nwell, no\nno\nyes\n',
      '| said |  |\n| --- | --- |\n| yes |  |\n| well | no |\n| no |  |\n| yes |  |',
    ],
    ['no name of its first column', ',tonnes\n2023,5\n', '|  | tonnes |\n| --- | --- |\n| 2023 | 5 |'],
  ])('has its head in the first line where there is %s', async (_, content, expected) => {
    expect(await markdownOf(content, 'a.csv')).toBe(expected);
  });

  it('may be a head alone', async () => {
    expect(await markdownOf('a,b', 'a.csv')).toBe('| a | b |\n| --- | --- |');
  });
});
