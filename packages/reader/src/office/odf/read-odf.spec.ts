import { markdownOf, odfOf, odfXml, readAll } from '../fixtures.double.js';
import { readOdp, readOds, readOdt } from './read-odf.js';

function cell(text: string, attributes = ''): string {
  return `<table:table-cell${attributes}><text:p>${text}</text:p></table:table-cell>`;
}
function row(...cells: readonly string[]): string {
  return `<table:table-row>${cells.join('')}</table:table-row>`;
}
const COVERED = '<table:covered-table-cell/>';

describe('readOdt', () => {
  const styles =
    '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>' +
    '<style:style style:name="T9" style:family="text"><style:text-properties text:display="none"/></style:style>' +
    '<text:list-style style:name="L1"><text:list-level-style-bullet text:level="1"/><text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/></text:list-style>' +
    '<text:list-style style:name="L2"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/></text:list-style>';
  const common = odfXml(
    'document-styles',
    '<office:styles><style:style style:name="Title" style:family="paragraph"/><text:outline-style style:name="Outline"><text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="."/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style></office:styles>' +
      '<office:master-styles><style:header><text:p>Confidentiel</text:p></style:header><style:footer><text:p>3</text:p></style:footer></office:master-styles>',
  );

  it('gives headings, lists, tables, notes and boxes', async () => {
    const body =
      '<text:tracked-changes><text:p>effacé</text:p></text:tracked-changes>' +
      '<text:table-of-content><text:index-body><text:p>Énergie 1</text:p></text:index-body></text:table-of-content>' +
      '<text:p text:style-name="P1">Rapport</text:p>' +
      '<text:h text:outline-level="1">Énergie</text:h><text:h text:outline-level="2">能源</text:h><text:h text:outline-level="2">Año</text:h>' +
      '<text:section><text:p>Un<text:s text:c="2"/>deux<text:tab/>trois\n<text:span text:style-name="T9">caché</text:span><office:annotation><text:p>non</text:p></office:annotation>fin<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Voir ADEME.</text:p></text:note-body></text:note><text:line-break/>ligne</text:p></text:section>' +
      '<text:list text:style-name="L1"><text:list-item><text:p>puce</text:p><text:list><text:list-item><text:p>dessous</text:p></text:list-item><text:list-item><text:p>encore</text:p></text:list-item></text:list><text:p>suite</text:p></text:list-item></text:list>' +
      '<text:list text:style-name="L2"><text:list-item><text:p>premier</text:p></text:list-item></text:list><text:p>Entre.</text:p>' +
      '<text:list text:style-name="L2" text:continue-numbering="true"><text:list-item><text:p>deuxième</text:p></text:list-item></text:list>' +
      '<text:p>Cadre<draw:frame><draw:text-box><text:p>Boîte</text:p></draw:text-box></draw:frame><draw:frame><draw:image/></draw:frame></text:p>' +
      `<table:table><table:table-header-rows>${row(cell('Site'), cell('2022'), cell('2023'))}</table:table-header-rows>${row(cell('Dakar', ' table:number-rows-spanned="2"'), cell('1'), cell('2'))}${row(COVERED, cell('3', ' table:number-columns-spanned="2"'), COVERED)}</table:table>`;
    const { pages, summary } = await readAll(
      readOdt,
      odfOf('text', body, { styles, parts: { 'styles.xml': common } }),
    );
    expect(pages.map(({ markdown }) => markdown)).toEqual([
      [
        '# Rapport',
        '',
        '# 1. Énergie',
        '',
        '## 1.1 能源',
        '',
        '## 1.2 Año',
        '',
        'Un deux trois fin[^1]',
        'ligne',
        '',
        '[^1]: Voir ADEME.',
        '',
        '- puce',
        '    - a) dessous',
        '    - b) encore',
        '    suite',
        '1. premier',
        '',
        'Entre.',
        '',
        '2. deuxième',
        '',
        'Cadre',
        '',
        'Boîte',
        '',
        '| Site | 2022 | 2023 |',
        '| --- | --- | --- |',
        '| Dakar | 1 | 2 |',
        '| Dakar | 3 |  |',
        '',
        'Confidentiel',
      ].join('\n'),
    ]);
    expect(summary).toEqual({
      pages: null,
      warnings: [
        '1 comment left out: comments are not read.',
        '1 picture left out: what is written in a picture has to be recognised first (OCR).',
        'Tracked changes were read as if they were accepted: what was deleted by them was left out.',
        'The table of contents was left out: headings say what it says.',
        'Hidden text was left out.',
      ],
    });
  });

  it('keeps apart what stands above or below its line', async () => {
    const raised = (name: string, position: string): string =>
      `<style:style style:name="${name}" style:family="text"><style:text-properties style:text-position="${position}"/></style:style>`;
    const span = (style: string, text: string): string =>
      `<text:span text:style-name="${style}">${text}</text:span>`;
    const body = `<text:p>10${span('T1', '6')} and 10${span('T2', '-3')}, CO${span('T3', '2')}, H${span('T4', '2')}O, 1${span('T5', '2')}</text:p>`;
    const styles =
      raised('T1', 'super 58%') +
      raised('T2', '33% 58%') +
      raised('T3', 'sub 58%') +
      raised('T4', '-8% 100%') +
      raised('T5', '0% 100%');
    expect(await markdownOf(readOdt, odfOf('text', body, { styles }))).toBe('10⁶ and 10⁻³, CO₂, H₂O, 12');
  });

  it('says that a file is protected by a password', async () => {
    const manifest =
      '<!DOCTYPE manifest:manifest PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "Manifest.dtd"><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
    const locked = odfOf('text', '', { parts: { 'META-INF/manifest.xml': manifest, 'content.xml': 'x' } });
    await expect(readAll(readOdt, locked)).rejects.toThrow(/protected by a password/);
    const open = manifest.replace('<manifest:encryption-data/>', '');
    const file = odfOf('text', '<text:p>Ouvert</text:p>', { parts: { 'META-INF/manifest.xml': open } });
    expect(await markdownOf(readOdt, file)).toBe('Ouvert');
  });
});

it('says how many comments there are in sheets and on slides', async () => {
  const comment = '<office:annotation><text:p>non</text:p></office:annotation>';
  const sheet = `<table:table>${row(`<table:table-cell>${comment}<text:p>a</text:p></table:table-cell>`)}</table:table>`;
  const ofSheet = await readAll(readOds, odfOf('spreadsheet', sheet));
  const slide = `<draw:page>${comment}<draw:custom-shape><text:p>a</text:p></draw:custom-shape></draw:page>`;
  const ofSlide = await readAll(readOdp, odfOf('presentation', slide));
  for (const { pages, summary } of [ofSheet, ofSlide]) {
    expect(pages[0]?.markdown).toMatch(/a$/);
    expect(summary.warnings).toEqual(['1 comment left out: comments are not read.']);
  }
});

describe('readOds', () => {
  it('gives what is drawn on a sheet and tied to a cell', async () => {
    const box = (text: string): string =>
      `<draw:custom-shape table:end-cell-address="A.I8"><text:p>${text}</text:p></draw:custom-shape>`;
    const sheet =
      '<table:table table:name="A">' +
      `<table:table-row><table:table-cell>${box('cifras sin auditar')}<text:p>Site</text:p></table:table-cell>${cell('kWh')}</table:table-row>` +
      `<table:table-row>${cell('Dakar')}<table:table-cell><draw:frame><draw:image/></draw:frame></table:table-cell></table:table-row>` +
      '</table:table>';
    const { pages, summary } = await readAll(readOds, odfOf('spreadsheet', sheet));
    expect(pages.map(({ markdown }) => markdown)).toEqual([
      '# A\n\n| Site | kWh |\n| --- | --- |\n| Dakar |  |\n\ncifras sin auditar',
    ]);
    expect(summary.warnings).toHaveLength(1);
  });

  it('gives sheets as tables, repeated cells and rows as often as the file says', async () => {
    const styles =
      '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>';
    const body =
      `<table:table table:name="Énergie"><table:shapes><draw:frame><draw:text-box><text:p>Encadré</text:p></draw:text-box></draw:frame></table:shapes>` +
      row(
        cell('Site'),
        cell('Fecha'),
        cell('用量'),
        '<table:table-cell table:number-columns-repeated="16381"/>',
      ) +
      row(
        cell('Dakar', ' table:number-rows-spanned="2" office:value-type="string"'),
        cell('31/05/23', ' office:value-type="date" office:date-value="2023-05-31T00:00:00"'),
        cell('1 234,5', ' office:value-type="float" office:value="1234.5"'),
      ) +
      row(
        COVERED,
        '<table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="0.30000000000000004"/>',
      ) +
      `<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>` +
      `</table:table><table:table table:name="Caché" table:style-name="ta2"><table:table-row table:number-rows-repeated="2">${cell('même')}</table:table-row></table:table><table:table table:name="Vide"/>`;
    const { pages, summary } = await readAll(readOds, odfOf('spreadsheet', body, { styles }));
    expect(pages).toEqual([
      {
        number: 1,
        markdown:
          '# Énergie\n\n| Site | Fecha | 用量 |\n| --- | --- | --- |\n| Dakar | 2023-05-31 | 1 234,5 |\n| Dakar | 0.3 | 0.3 |\n\nEncadré',
      },
      { number: 2, markdown: '# Caché\n\nmême\n\nmême' },
      { number: 3, markdown: '' },
    ]);
    expect(summary).toEqual({ pages: 3, warnings: ['1 hidden sheet read like the others.'] });
  });
});

describe('readOdp', () => {
  it('gives slides with title, boxes in reading order and notes', async () => {
    const box = (text: string, attributes: string): string =>
      `<draw:frame ${attributes}><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
    const body =
      `<draw:page>${box('Après', 'svg:x="1cm" svg:y="80mm"')}${box('Avant', 'svg:x="5in" svg:y="1in"')}${box('Énergie', 'presentation:class="title" svg:y="9cm" svg:x="1cm"')}${box('12', 'presentation:class="page-number"')}` +
      `<draw:custom-shape svg:x="1cm" svg:y="2.5cm"><text:p>À gauche</text:p></draw:custom-shape><presentation:notes>${box('À dire', 'presentation:class="notes"')}</presentation:notes></draw:page>` +
      `<draw:page draw:style-name="dp2">${box('第二', 'presentation:class="title"')}</draw:page><draw:page/>`;
    const styles =
      '<style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
    const { pages, summary } = await readAll(readOdp, odfOf('presentation', body, { styles }));
    expect(pages).toEqual([
      { number: 1, markdown: '# Énergie\n\nÀ gauche\n\nAvant\n\nAprès\n\nNotes:\n\nÀ dire' },
      { number: 2, markdown: '# 第二' },
      { number: 3, markdown: '' },
    ]);
    expect(summary).toEqual({
      pages: 3,
      warnings: ['1 hidden slide read like the others.', '1 slide without text.'],
    });
  });

  it('keeps apart words of titles and charts that a break, a tab or blanks stand between', async () => {
    const words = 'Bilan<text:line-break/>2024<text:tab/>du<text:s/>groupe';
    const hidden =
      '<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style>';
    const chart = odfXml(
      'document-content',
      `<office:body><chart:chart><chart:title><text:p>${words}</text:p><text:p>en tonnes</text:p></chart:title>` +
        `<table:table>${row(cell('Site'), cell('tCO2<text:line-break/>par<text:tab/>an'))}${row(cell('<text:span text:style-name="T1">Dakar</text:span>'), cell('5'))}</table:table></chart:chart></office:body>`,
    );
    const body =
      `<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>${words}</text:p></draw:text-box></draw:frame>` +
      '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></draw:page>';
    const file = odfOf('presentation', body, { styles: hidden, parts: { 'Object 1/content.xml': chart } });
    const { pages, summary } = await readAll(readOdp, file);
    expect(pages.map(({ markdown }) => markdown)).toEqual([
      '# Bilan 2024 du groupe\n\nChart: Bilan 2024 du groupe en tonnes\n\n| Site | tCO2 par an |\n| --- | --- |\n| Dakar | 5 |',
    ]);
    expect(summary.warnings).toEqual([]);
  });
});
