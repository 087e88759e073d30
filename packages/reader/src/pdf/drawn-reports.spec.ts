import { chineseWriter, drawnPdf, wrapped } from './fixtures/drawn-pdf.double.js';
import { readPdf } from './read-pdf.js';

async function readAll(bytes: Uint8Array): Promise<string[]> {
  const pages: string[] = [];
  for await (const { markdown } of readPdf({ bytes, name: 'report.pdf' })) pages.push(markdown);
  return pages;
}

const paragraph =
  "La coopérative regroupe 1 240 producteurs de mangue et d'anacarde. En 2024, elle a réduit ses émissions de 18 % par rapport à 2022, grâce au remplacement de deux groupes électrogènes par une centrale solaire.";

it('reads a French report as its reader does', async () => {
  const heading = (document: PDFKit.PDFDocument, text: string): PDFKit.PDFDocument =>
    document.font('Helvetica-Bold').fontSize(15).text(text).font('Helvetica').fontSize(10.5);
  const rows = [
    ['Indicateur', 'Unité', '2023', '2024'],
    ['Émissions directes', 'tCO2e', '371', '338'],
    ['Consommation d’eau des séchoirs et des bâtiments', 'm³', '14 870', '13 004'],
    ['Part de femmes', '%', '34', '37,5'],
  ];
  const pages = await readAll(
    await drawnPdf((document) => {
      document.font('Helvetica-Bold').fontSize(24).text('Rapport de durabilité', { align: 'center' });
      heading(document.moveDown(), '1. Synthèse').text(paragraph, { align: 'justify' }).moveDown();
      document.text(paragraph.replace('1 240', '980')).moveDown();
      document.font('Helvetica-Bold').text('Gouvernance').font('Helvetica').text(paragraph).moveDown();
      heading(document, '2. Indicateurs');
      for (const [index, row] of rows.entries())
        for (const [column, cell] of row.entries())
          document
            .font(index === 0 ? 'Helvetica-Bold' : 'Helvetica')
            .text(cell, [56, 250, 330, 420][column], 500 + index * 26, { width: column === 0 ? 170 : 60 });
      heading(document.addPage(), '3. Deux colonnes');
      const many = Array.from({ length: 8 }, (_, index) => `Étape ${index + 1}. ${paragraph}`).join(' ');
      document.text(many, { columns: 2, columnGap: 24, height: 400, align: 'justify' });
    }),
  );
  expect(pages[0]).toBe(
    [
      '# Rapport de durabilité',
      '## 1. Synthèse',
      paragraph,
      paragraph.replace('1 240', '980'),
      '### Gouvernance',
      paragraph,
      '## 2. Indicateurs',
      '| Indicateur | Unité | 2023 | 2024 |\n| --- | --- | --- | --- |\n| Émissions directes | tCO2e | 371 | 338 |\n| Consommation d’eau des séchoirs et des bâtiments | m³ | 14 870 | 13 004 |\n| Part de femmes | % | 34 | 37,5 |',
    ].join('\n\n'),
  );
  expect(pages[1]).toMatch(/^## 3\. Deux colonnes\n\nÉtape 1/);
  expect([...pages[1]!.matchAll(/Étape (\d)/g)].map(([, step]) => step).join('')).toBe('12345678');
});

it('reads a Chinese report, whose font comes in slices', async () => {
  const text =
    '本公司於二〇二四年完成溫室氣體盤查，範疇一與範疇二排放量合計為3,482公噸二氧化碳當量，較基準年減少百分之十二。主要措施包括更換高效率空調、裝設屋頂太陽能板，以及將公務車汰換為電動車。';
  const [page] = await readAll(
    await drawnPdf((document) => {
      const write = chineseWriter(document);
      write('永續報告書', { x: 180, y: 60, size: 24 });
      write('第一章 總則', { x: 56, y: 110, size: 16 });
      for (const [index, line] of wrapped(text, 40).entries()) write(line, { x: 56, y: 145 + index * 18 });
      const rows = [
        ['項目', '單位', '2023年', '2024年'],
        ['直接排放', '公噸', '1,204', '1,101'],
        ['用水量', '立方公尺', '8,800', '8,412'],
      ];
      for (const [index, row] of rows.entries())
        for (const [column, cell] of row.entries())
          write(cell, { x: 56 + column * 110, y: 260 + index * 20 });
    }),
  );
  expect(page).toBe(
    `# 永續報告書\n\n## 第一章 總則\n\n${text}\n\n| 項目 | 單位 | 2023年 | 2024年 |\n| --- | --- | --- | --- |\n| 直接排放 | 公噸 | 1,204 | 1,101 |\n| 用水量 | 立方公尺 | 8,800 | 8,412 |`,
  );
});

it('takes headings from the outline', async () => {
  const [page] = await readAll(
    await drawnPdf((document) => {
      document.fontSize(11);
      for (const title of ['Beginning', 'Details']) document.text(title).text(paragraph).moveDown();
      document.outline.addItem('Beginning').addItem('Details');
    }),
  );
  expect(page).toBe(`# Beginning\n\n${paragraph}\n\n## Details\n\n${paragraph}`);
});

it('takes headings from the marks of a tagged document', async () => {
  const [page] = await readAll(
    await drawnPdf(
      (document) => {
        const add = (role: string, text: string): void => {
          document.addStructure(document.struct(role, {}, [() => void document.text(text)]));
        };
        document.fontSize(11);
        add('H2', 'Beginning');
        add('P', paragraph);
      },
      { tagged: true, pdfVersion: '1.7' },
    ),
  );
  expect(page).toBe(`## Beginning\n\n${paragraph}`);
});

it('reads footnotes that a tagged document has for no part of its text, and the line above its pages once', async () => {
  const pages = await readAll(
    await drawnPdf(
      (document) => {
        const artifact = (text: string, x: number, y: number): void => {
          document.markContent('Artifact').fontSize(8).text(text, x, y, { lineBreak: false });
          document.endMarkedContent();
        };
        for (const page of [1, 2, 3, 4]) {
          if (page > 1) document.addPage();
          artifact('Official Journal of the Union', 56, 40);
          if (page > 2) artifact('Annex: what was measured', 250, 55);
          artifact(`${page}`, 530, 40);
          const body = (): void => void document.fontSize(11).text(paragraph, 56, 100, { width: 480 });
          document.addStructure(document.struct('P', {}, [body]));
          artifact(`(${page}) Regulation (EU) ${2010 + page}/${page * 97} of the Council.`, 56, 770);
        }
      },
      { tagged: true, pdfVersion: '1.7' },
    ),
  );
  const notes = [97, 194, 291, 388].map(
    (number, index) => `- (${index + 1}) Regulation (EU) ${2011 + index}/${number} of the Council.`,
  );
  expect(pages).toEqual([
    `Official Journal of the Union\n\n${paragraph}\n\n${notes[0]}`,
    `${paragraph}\n\n${notes[1]}`,
    `Annex: what was measured\n\n${paragraph}\n\n${notes[2]}`,
    `${paragraph}\n\n${notes[3]}`,
  ]);
});

it('tells the numbers of its pages from those of a table at their edge', async () => {
  const pages = await readAll(
    await drawnPdf((document) => {
      for (const page of [1, 2, 3, 4]) {
        if (page > 1) document.addPage();
        document.page.margins.bottom = 0;
        document
          .fontSize(10)
          .text(`Site ${page}`, 56, 60)
          .text(`${page * 350}`, 200, 60);
        document.text(paragraph, 56, 300).text(`Page ${page} of 4`, 280, 810);
      }
    }),
  );
  expect(pages).toEqual([1, 2, 3, 4].map((page) => `Site ${page} ${page * 350}\n\n${paragraph}`));
});
