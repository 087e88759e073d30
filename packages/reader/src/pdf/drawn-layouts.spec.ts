import { chineseWriter, drawnPdf, wrapped } from './fixtures/drawn-pdf.double.js';
import { readPdf } from './read-pdf.js';

async function readAll(bytes: Uint8Array): Promise<string[]> {
  const pages: string[] = [];
  for await (const { markdown } of readPdf({ bytes, name: 'rules.pdf' })) pages.push(markdown);
  return pages;
}

const sentences = [
  'The board meets four times a year and decides on all matters that are not the management’s.',
  'Whoever travels for the company books the ticket through the office and keeps every receipt.',
  'A contract of more than one year is signed by two members of the board and kept for ten years.',
  'The auditors report on the accounts within six months of the end of the year.',
  'Emissions are measured at each site every month and reported to the board every quarter.',
];
const paragraphs = Array.from({ length: 12 }, (_, index) =>
  [`Paragraph ${index + 1}.`, ...sentences.map((_, at) => sentences[(index + at) % sentences.length])].join(
    ' ',
  ),
);

describe('columns', () => {
  it.each([10, 14, 24])('are read one after the other, with %i points between them', async (columnGap) => {
    const [page] = await readAll(
      await drawnPdf((document) => {
        document.font('Times-Roman').fontSize(10);
        document.text(paragraphs.slice(0, 10).join('\n'), {
          columns: 2,
          columnGap,
          height: 640,
          align: 'justify',
        });
      }),
    );
    expect(page!.replaceAll(/\s+/g, ' ')).toBe(paragraphs.slice(0, 10).join(' '));
  });
});

describe('articles', () => {
  const articles = sentences.map((sentence, index) => ({
    label: `Article ${index + 5}`,
    text: `${sentence} ${sentences[(index + 1) % 5]} ${sentences[(index + 2) % 5]}`,
  }));

  it('are paragraphs, though an em space stands behind their labels', async () => {
    const [page] = await readAll(
      await drawnPdf((document) => {
        document.font('Times-Roman').fontSize(11);
        let y = 80;
        for (const { label, text } of articles) {
          const words = text.split(' ');
          const lines = [words.splice(0, 12), words.splice(0, 16), words.splice(0, 16), words].map((line) =>
            line.join(' '),
          );
          document.text(label, 56, y, { lineBreak: false });
          document.text(lines[0]!, 56 + document.widthOfString(label) + 14, y, { lineBreak: false });
          for (const line of lines.slice(1)) document.text(line, 56, (y += 14), { lineBreak: false });
          y += 14;
        }
      }),
    );
    expect(page).toBe(articles.map(({ label, text }) => `${label} ${text}`).join('\n\n'));
  });

  it('are paragraphs, with one line each', async () => {
    const [page] = await readAll(
      await drawnPdf((document) => {
        document.font('Times-Roman').fontSize(11);
        for (const [index, { label }] of articles.entries()) {
          document.text(label, 56, 80 + index * 14, { lineBreak: false });
          document.text(sentences[index]!, 56 + document.widthOfString(label) + 14, 80 + index * 14, {
            lineBreak: false,
          });
        }
      }),
    );
    expect(page).toBe(articles.map(({ label }, index) => `${label} ${sentences[index]}`).join('\n\n'));
  });

  it.each(['left', 'justify'] as const)(
    'are paragraphs, with text that hangs beside the labels: %s',
    async (align) => {
      const [page] = await readAll(
        await drawnPdf((document) => {
          document.font('Times-Roman').fontSize(11);
          for (const [index, { label, text }] of articles.entries()) {
            document.text(label, 56, 80 + index * 60, { lineBreak: false });
            document.text(text, 140, 80 + index * 60, { width: 380, align });
          }
        }),
      );
      expect(page).toBe(articles.map(({ label, text }) => `${label} ${text}`).join('\n\n'));
    },
  );

  const chinese = [
    '為規範本公司員工出差之申請、核銷及費用標準，特訂定本辦法，凡本公司員工因公出差者，悉依本辦法之規定辦理。',
    '員工出差應事先填具出差申請單，經部門主管核准後，始得出差；未經核准者，其費用不予核銷。',
    '國內出差之住宿費，每晚以新臺幣三千元為上限；膳雜費每日以新臺幣八百元計。',
    '出差人員應於返回後七日內，檢附單據辦理核銷，逾期者，應敘明理由。',
    '本辦法自發布日施行，修正時亦同。',
  ];
  const numerals = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二'];
  it.each([
    ['go on below them', 56],
    ['hang beside them', 110],
  ])('of a Chinese regulation are paragraphs, whose lines %s', async (_, x) => {
    const [page] = await readAll(
      await drawnPdf((document) => {
        const write = chineseWriter(document);
        write('員工出差辦法', { x: 220, y: 50, size: 18 });
        let y = 100;
        for (const [index, numeral] of numerals.entries()) {
          const head = `第${numeral}條　`;
          if (index % 6 === 0) {
            write(`第${index === 0 ? '一' : '二'}章`, { x: 56, y });
            write('出差', { x: 56 + head.length * 11, y });
            y += 18;
          }
          const left = x === 56 ? 56 + head.length * 11 : x;
          const text = chinese[index % 5]!;
          const first = x === 56 ? 40 - head.length : 38;
          write(`第${numeral}條`, { x: 56, y });
          write(text.slice(0, first), { x: left, y });
          for (const line of wrapped(text.slice(first), x === 56 ? 40 : 38)) write(line, { x, y: (y += 18) });
          y += 18;
        }
      }),
    );
    expect(
      page!
        .split('\n\n')
        .slice(1)
        .map((each) => each.replace(' ', '　')),
    ).toEqual(
      numerals.flatMap((numeral, index) => [
        ...(index % 6 === 0 ? [`第${index === 0 ? '一' : '二'}章　出差`] : []),
        `第${numeral}條　${chinese[index % 5]}`,
      ]),
    );
  });
});

it('reads articles whose labels become wider, though their texts begin at two places', async () => {
  const texts = Array.from({ length: 16 }, (_, index) => `${sentences[index % 5]} Section ${index}.`);
  const [page] = await readAll(
    await drawnPdf((document) => {
      document.font('Times-Roman').fontSize(10);
      for (const [index, text] of texts.entries()) {
        const y = 80 + index * 14;
        document.text(`§ ${index + 1}`, 56, y, { lineBreak: false });
        document.text(text, index < 9 ? 82 : 92, y, { lineBreak: false });
      }
    }),
  );
  expect(page!.replaceAll(/\s+/g, ' ')).toBe(texts.map((text, index) => `§ ${index + 1} ${text}`).join(' '));
});

describe('tables', () => {
  it('end where one with more columns begins further down, as in an invoice', async () => {
    const facts = [
      ['Invoice', '2024-117'],
      ['Date', '12 May 2024'],
      ['Customer', 'Kaolack Solar'],
      ['Due', '30 days'],
    ];
    const items = [
      ['Item', 'Quantity', 'Unit price', 'Amount'],
      ['Solar panel 400 W', '12', '180.00', '2 160.00'],
      ['Inverter 5 kW', '1', '940.00', '940.00'],
    ];
    const [page] = await readAll(
      await drawnPdf((document) => {
        drawTable(document, [56, 150], facts, 14);
        document.translate(0, 4 * 14 + 30);
        drawTable(document, [56, 290, 360, 450], items);
      }),
    );
    expect(page).toBe(`${markdown(facts)}\n\n${markdown(items)}`);
  });

  const drawTable = (document: PDFKit.PDFDocument, lefts: number[], rows: string[][], pitch = 18): void => {
    document.font('Helvetica').fontSize(10);
    for (const [index, row] of rows.entries())
      for (const [at, cell] of row.entries())
        document.text(cell, lefts[at], 80 + index * pitch, { lineBreak: false });
  };
  const markdown = (rows: string[][]): string =>
    [rows[0]!, rows[0]!.map(() => '---'), ...rows.slice(1)].map((row) => `| ${row.join(' | ')} |`).join('\n');

  it.each([
    [
      'short labels',
      [56, 110, 300, 400],
      [
        ['No', 'Indicator', '2023', '2024'],
        ['E1', 'Energy that was bought', '1 204', '1 101'],
        ['E2', 'Water of the wells', '8 800', '8 412'],
        ['S1', 'Women among managers', '34', '37'],
      ],
    ],
    [
      'two columns',
      [56, 120],
      [
        ['Code', 'Meaning'],
        ['E1', 'Energy that was bought'],
        ['E2', 'Water of the wells'],
        ['S1', 'Women among managers'],
        ['S2', 'Accidents'],
      ],
    ],
    [
      'labels that count below a name',
      [56, 160],
      [
        ['Phase', 'Budget'],
        ['Phase 1', '1 200'],
        ['Phase 2', '900'],
        ['Phase 3', '2 400'],
      ],
    ],
    [
      'sentences below a name',
      [56, 160],
      [
        ['Term', 'Meaning'],
        ['Scope 1', 'What the company burns itself.'],
        ['Energy', 'What it buys.'],
        ['Waste', 'What it throws away.'],
      ],
    ],
    [
      'an invoice',
      [56, 290, 360, 450],
      [
        ['Description', 'Quantity', 'Unit price', 'Amount'],
        ['Solar panel 400 W', '12', '180.00', '2 160.00'],
        ['Inverter 5 kW', '1', '940.00', '940.00'],
        ['Installation', '1', '600.00', '600.00'],
      ],
    ],
  ])('stay tables, with %s', async (_, lefts, rows) => {
    const [page] = await readAll(await drawnPdf((document) => drawTable(document, lefts, rows)));
    expect(page).toBe(markdown(rows));
  });
});
