import { markdownOf, readAll } from '../fixtures.double.js';
import { readRtf } from './read-rtf.js';

function rtf(body: string): Uint8Array {
  return Buffer.from(`{\\rtf1\\ansi\\ansicpg1252 ${body}}`, 'latin1');
}

describe('readRtf', () => {
  it('gives headings, paragraphs, lists and tables', async () => {
    const body = String.raw`{\fonttbl{\f0\fcharset0 Arial;}}{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 Kop;}{\s2 Titre 2;}}{\info{\title Non}}
\pard\s1 \'c9nergie\par\pard\s2 A\u241\'f1o\par\pard\plain Du \b texte\b0 , {\v cach\'e9}{\deleted ancien}visible\~: {\field{\*\fldinst HYPERLINK "http://x.y"}{\fldrslt lien}}\line suite\par
{\listtext\pard \u8226\'95\tab}\pard\ilvl0\ls1 puce\par{\listtext 1.\tab}\ilvl1 un\par{\listtext a)\tab}\ilvl1 deux\par
\pard\plain\trowd\cellx1\cellx2\intbl Site\cell kWh\cell\row\trowd\intbl Dakar\cell 1 | 2\cell\row
\pard Fin{\footnote \pard Voir ADEME.}.{\pict\bin4 }{}}}\par`;
    const { pages, summary } = await readAll(readRtf, rtf(body));
    expect(pages).toEqual([
      {
        number: null,
        markdown: [
          '# Énergie',
          '',
          '## Año',
          '',
          'Du texte, visible : lien',
          'suite',
          '',
          '- puce',
          '    1. un',
          '    - a) deux',
          '',
          '| Site | kWh |',
          '| --- | --- |',
          '| Dakar | 1 \\| 2 |',
          '',
          'Fin[^1].',
          '',
          '[^1]: Voir ADEME.',
        ].join('\n'),
      },
    ]);
    expect(summary).toEqual({
      pages: null,
      warnings: [
        '1 picture left out: what is written in a picture has to be recognised first (OCR).',
        'Hidden text was left out.',
      ],
    });
  });

  it('puts cells that go over several columns above these, and labels over rows into each', async () => {
    const body = String.raw`\trowd\cellx9000\intbl Eau\cell\row
\trowd\clvmgf\cellx3000\cellx6010\cellx9000\intbl Poste\cell 2022\cell 2023\cell\row
\trowd\clvmrg\cellx3000\cellx4500\cellx6000\cellx7500\cellx9000\intbl\cell Volume\cell Prix\cell Volume\cell Prix\cell\row
\trowd\cellx3000\cellx4500\cellx6000\cellx7500\cellx9000\intbl Dakar\cell 1\cell 2\par 500\cell 3\cell 4\cell\row
\trowd\cellx3000\clmgf\cellx4500\clmrg\cellx6000\cellx7500\cellx9000\intbl Thi\'e8s\cell n.d.\cell\cell 5\cell 6\cell\row\pard Fin\par`;
    expect(await markdownOf(readRtf, rtf(body))).toBe(
      [
        'Eau',
        '',
        '| Poste | 2022 / Volume | 2022 / Prix | 2023 / Volume | 2023 / Prix |',
        '| --- | --- | --- | --- | --- |',
        '| Dakar | 1 | 2; 500 | 3 | 4 |',
        '| Thiès | n.d. |  | 5 | 6 |',
        '',
        'Fin',
      ].join('\n'),
    );
  });

  it.each([
    ['Greek by its font', String.raw`{\fonttbl{\f1\fcharset161 A;}}\f1 \'e1\'e2`, 'αβ'],
    ['Cyrillic by its code page', String.raw`\ansicpg1251 \'cf\'f0`, 'Пр'],
    [
      'Chinese by its font',
      String.raw`{\fonttbl{\f0\fcharset0 A;}{\f2\fcharset134 S;}}\f0 a\f2 \'c4\'dc\'d4\'b4`,
      'a能源',
    ],
    [
      'traditional Chinese by the font for it, with a letter as second byte',
      String.raw`{\fonttbl{\f0\fcharset0 A;}{\f3\fcharset136 M;}}\f0\dbch\af3 \'aeH`,
      '埔',
    ],
    ['Japanese', String.raw`{\fonttbl{\f2\fcharset128 M;}}\f2 \'83\'47`, 'エ'],
    ['Unicode without anything instead', String.raw`\uc0\u-32767 \u33021 x`, '老能x'],
    ['Unicode with two characters instead', String.raw`{\uc2\u28304 \'b7\'bd}x`, '源x'],
    ['characters beyond the first plane', String.raw`\u-10179?\u-8704?`, '😀'],
    ['half of one', String.raw`a\u-10179?b`, 'a\ufffdb'],
    ['symbols', String.raw`{\fonttbl{\f5\fcharset2 Symbol;}}{\f5 a\'b3}5`, 'α≥5'],
    [
      'words above and below their line',
      String.raw`10{\super 6} CO{\sub 2} 10\up6 \u8722?3\up0 4 2023\super 5\nosupersub 6 m{\super\plain 2}`,
      '10⁶ CO₂ 10⁻³4 2023⁵6 m2',
    ],
    ['escaped signs', String.raw`\{a\\b\}\_c\emdash d`, '{a\\b}-c—d'],
    ['text boxes', String.raw`{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt Bo\'eete\par}}}`, 'Boîte'],
    ['groups in groups', `a${'{\\b '.repeat(20_000)}b${'}'.repeat(20_000)}c`, 'abc'],
    [
      'footnotes that begin with an asterisk',
      String.raw`Total{\*\footnote Sans 3.}.`,
      'Total[^1].\n\n[^1]: Sans 3.',
    ],
    ['unknown groups', String.raw`a{\*\unknown b}{\known c}`, 'ac'],
  ])('reads %s', async (_, body, text) => {
    expect(await markdownOf(readRtf, rtf(body))).toBe(text);
  });

  it('gives headers and footers once at the end, and says how many comments there are', async () => {
    const header = String.raw`{\header\pard\trowd\intbl Rapport annuel\cell Soci\'e9t\'e9\cell\row{\footnote a}\par}`;
    const body = String.raw`A{\*\annotation non\par}${header}{\footer Page \chpgn\par}\pard B{\footnote C{\header D}}\par\sect${header}E`;
    const { pages, summary } = await readAll(readRtf, rtf(body));
    expect(pages[0]?.markdown).toBe('AB[^1]\n\n[^1]: CD\n\nE\n\nRapport annuel Société a');
    expect(summary.warnings[0]).toBe('1 comment left out: comments are not read.');
  });

  it('gives what is there of a file that was cut off', async () => {
    const { pages, summary } = await readAll(readRtf, Buffer.from(String.raw`{\rtf1 Un\par Deux {\b tr`));
    expect(pages[0]?.markdown).toBe('Un\n\nDeux tr');
    expect(summary.warnings).toHaveLength(1);
  });

  it('reads a table of many rows in pieces below the same header', async () => {
    const rows = Array.from(
      { length: 1_200 },
      (_, index) => `\\trowd\\intbl r${index}\\cell ${index}\\cell\\row`,
    );
    const markdown = await markdownOf(
      readRtf,
      rtf(`\\trowd\\intbl Nom\\cell N\\cell\\row${rows.join('')}\\pard Fin`),
    );
    expect(markdown.match(/^\| r\d+ \| \d+ \|$/gm)).toEqual(
      rows.map((_, index) => `| r${index} | ${index} |`),
    );
    expect(markdown.match(/^\| Nom \| N \|$/gm)?.length).toBeGreaterThan(1);
    expect(markdown.endsWith('\n\nFin')).toBe(true);
  });
});
