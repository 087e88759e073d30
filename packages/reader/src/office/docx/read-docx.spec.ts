import {
  docxOf,
  markdownOf,
  readAll,
  relationships,
  word,
  wordXml,
  WORD,
  zipOf,
} from '../fixtures.double.js';
import { sentences } from '../../remarks.js';
import { readDocx } from './read-docx.js';

function style(id: string, name: string, more = ''): string {
  return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;
}
function styled(id: string): string {
  return `<w:pStyle w:val="${id}"/>`;
}
function item(list: number, level: number): string {
  return `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`;
}
function level(index: number, format: string, text: string): string {
  return `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
}
function cell(content: string, properties = ''): string {
  return `<w:tc>${properties === '' ? '' : `<w:tcPr>${properties}</w:tcPr>`}${content}</w:tc>`;
}
function row(...cells: readonly string[]): string {
  return `<w:tr>${cells.join('')}</w:tr>`;
}

describe('readDocx', () => {
  it('gives headings by the names and levels that styles have in any language', async () => {
    const styles = wordXml(
      'styles',
      style('Titre1', 'heading 1') +
        style('U2', 'Überschrift 2') +
        style('B3', '標題 3') +
        style('Mine', 'Chapitre maison', '<w:basedOn w:val="Titre1"/>') +
        style('Out', 'Annexe', '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>') +
        style('T', 'Title') +
        style('TM1', 'toc 1'),
    );
    const body =
      word('Rapport', styled('T')) +
      word('Introduction ..... 3', styled('TM1')) +
      word('Énergie', styled('Titre1')) +
      word('Verbrauch', styled('U2')) +
      word('能源審計', styled('B3')) +
      word('Suite', styled('Mine')) +
      word('Tableaux', styled('Out')) +
      word('Directe', '<w:outlineLvl w:val="3"/>') +
      word('# pas un titre') +
      word('Sans style connu', styled('Heading2'));
    expect(await markdownOf(readDocx, docxOf(body, { styles }))).toBe(
      [
        '# Rapport',
        '# Énergie',
        '## Verbrauch',
        '### 能源審計',
        '# Suite',
        '## Tableaux',
        '#### Directe',
        '\\# pas un titre',
        '## Sans style connu',
      ].join('\n\n'),
    );
  });

  it('counts the items of lists, and the headings that are numbered', async () => {
    const numbering = wordXml(
      'numbering',
      `<w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '·')}${level(1, 'decimal', '%2.')}</w:abstractNum>` +
        `<w:abstractNum w:abstractNumId="2">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%2)')}${level(2, 'decimal', '%1.%2.%3')}</w:abstractNum>` +
        `<w:abstractNum w:abstractNumId="3">${level(0, 'taiwaneseCountingThousand', '第%1章')}${level(1, 'decimal', '%1.%2').replace('<w:lvlText', '<w:isLgl/><w:lvlText')}</w:abstractNum>` +
        [1, 2, 3].map((id) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`).join('') +
        `<w:num w:numId="4"><w:abstractNumId w:val="2"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>`,
    );
    const body =
      word('第一', `<w:outlineLvl w:val="0"/>${item(3, 0)}`) +
      word('Deuxième', `<w:outlineLvl w:val="1"/>${item(3, 1)}`) +
      word('puce', item(1, 0)) +
      word('dessous', item(1, 1)) +
      word('encore', item(1, 0)) +
      word('Texte.') +
      word('un', item(2, 0)) +
      word('un a', item(2, 1)) +
      word('profond', item(2, 2)) +
      word('deux', item(2, 0)) +
      word('cinq', item(4, 0)) +
      word('hors liste', item(0, 0));
    expect(await markdownOf(readDocx, docxOf(body, { numbering }))).toBe(
      [
        '# 第一章 第一',
        '',
        '## 1.1 Deuxième',
        '',
        '- puce',
        '    1. dessous',
        '- encore',
        '',
        'Texte.',
        '',
        '1. un',
        '    - a) un a',
        '        - 1.a.1 profond',
        '2. deux',
        '5. cinq',
        '',
        'hors liste',
      ].join('\n'),
    );
  });

  it('names columns by what goes over several of them, and keeps two lines of a cell apart', async () => {
    const span = '<w:gridSpan w:val="2"/>';
    const table =
      row(cell(word('Échéancier'), '<w:gridSpan w:val="3"/>')) +
      row(cell(word('Lot'), '<w:vMerge w:val="restart"/>'), cell(word('2023'), span)) +
      row(cell('<w:p/>', '<w:vMerge/>'), cell(word('T3')), cell(word('T4'))) +
      row(cell(word('Lot 1')), cell(word('1 250')), cell(word('2 500') + word('300')));
    expect(await markdownOf(readDocx, docxOf(`<w:tbl>${table}</w:tbl>`))).toBe(
      'Échéancier\n\n| Lot | 2023 / T3 | 2023 / T4 |\n| --- | --- | --- |\n| Lot 1 | 1 250 | 2 500; 300 |',
    );
  });

  it('gives tables, with merged cells, and what a frame of a table holds', async () => {
    const table =
      '<w:tbl>' +
      row(cell(word('Sitio')), cell(word('Año')), cell(word('kWh'))) +
      row(cell(word('Bogotá'), '<w:vMerge w:val="restart"/>'), cell(word('2022')), cell(word('1 | 2'))) +
      row(cell('<w:p/>', '<w:vMerge/>'), cell(word('total') + word('final'), '<w:gridSpan w:val="2"/>')) +
      '<w:tr><w:trPr><w:del w:id="1"/></w:trPr><w:tc><w:p/></w:tc></w:tr>' +
      '</w:tbl>';
    const frame = `<w:tbl>${row(cell(word('A un lado') + table), cell(word('Al otro')))}</w:tbl>`;
    const expected = [
      '| Sitio | Año | kWh |',
      '| --- | --- | --- |',
      '| Bogotá | 2022 | 1 \\| 2 |',
      '| Bogotá | total final |  |',
    ].join('\n');
    expect(await markdownOf(readDocx, docxOf(word('Antes') + table))).toBe(`Antes\n\n${expected}`);
    const inner = `<w:tbl>${row(cell(word('1 | 2')), cell(word('3')))}${row(cell('<w:p/>'), cell(word('4')))}</w:tbl>`;
    const outer = (...last: readonly string[]): string =>
      `<w:tbl>${row(cell(word('Sitio')), cell(word('kWh')))}${row(...last)}</w:tbl>`;
    expect(await markdownOf(readDocx, docxOf(outer(cell(word('Lima')), cell(word('Dos:') + inner))))).toBe(
      '| Sitio | kWh |\n| --- | --- |\n| Lima | Dos: 1 \\| 2, 3; 4 |',
    );
    expect(await markdownOf(readDocx, docxOf(outer(cell(inner, '<w:gridSpan w:val="2"/>'))))).toMatch(
      /^Sitio\n\nkWh\n\n\| 1 /,
    );
    expect(await markdownOf(readDocx, docxOf(frame))).toBe(`A un lado\n\n${expected}\n\nAl otro`);
  });

  it('keeps what was inserted, leaves out what was deleted, hidden or commented', async () => {
    const body =
      '<w:p><w:r><w:t>On </w:t></w:r><w:ins><w:r><w:t>garde</w:t></w:r></w:ins><w:del><w:r><w:delText>perd</w:delText></w:r></w:del>' +
      '<w:r><w:rPr><w:vanish/></w:rPr><w:t>caché</w:t></w:r><w:commentRangeStart w:id="0"/>' +
      '<w:hyperlink><w:r><w:t xml:space="preserve"> le lien</w:t></w:r></w:hyperlink><w:r><w:commentReference w:id="0"/></w:r>' +
      '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>REF x</w:instrText><w:fldChar w:fldCharType="separate"/><w:t>, champ</w:t><w:fldChar w:fldCharType="end"/></w:r>' +
      '<w:r><w:noBreakHyphen/><w:t>là</w:t><w:br w:type="page"/><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FC"/></w:r></w:p>' +
      '<w:sdt><w:sdtContent><w:p><w:r><w:t>Ligne</w:t><w:br/><w:t>suivante</w:t></w:r></w:p></w:sdtContent></w:sdt>' +
      '<w:p><m:oMath><m:r><m:t>E=</m:t></m:r><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:sSup><m:e><m:r><m:t>b</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:den></m:f></m:oMath></w:p>';
    const { pages, summary } = await readAll(readDocx, docxOf(body));
    expect(pages).toEqual([
      { number: null, markdown: 'On garde le lien, champ-là α✓\n\nLigne\nsuivante\n\nE=(a)/(b^(2))' },
    ]);
    expect(summary).toEqual({
      pages: null,
      warnings: [
        '1 comment left out: comments are not read.',
        sentences.CHANGES_ACCEPTED,
        'Hidden text was left out.',
      ],
    });
  });

  it('keeps apart what stands above or below its line, but for the marks of notes', async () => {
    const styles = wordXml(
      'styles',
      style('Ref', 'footnote reference', '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'),
    );
    const run = (text: string, properties: string): string =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const align = (value: string): string => `<w:vertAlign w:val="${value}"/>`;
    const body =
      `<w:p>${run('3 x 10', '')}${run('6', align('superscript'))}${run(' kg CO', '')}${run('2', align('subscript'))}` +
      `${run(' in 2023', '')}${run('4', '<w:rStyle w:val="Ref"/>')}${run('5', `<w:rStyle w:val="Ref"/>${align('baseline')}`)}` +
      '<w:r><w:rPr><w:rStyle w:val="Ref"/></w:rPr><w:footnoteReference w:id="2"/></w:r></w:p>';
    expect(await markdownOf(readDocx, docxOf(body, { styles }))).toBe('3 x 10⁶ kg CO₂ in 2023⁴5[^1]');
  });

  it('gives notes below what refers to them, text boxes once, headers and footers at the end', async () => {
    const box = `<w:txbxContent>${word('Dans la boîte')}</w:txbxContent>`;
    const body =
      '<w:p><w:r><w:t>Affirmation</w:t><w:footnoteReference w:id="2"/><w:t>.</w:t></w:r></w:p>' +
      `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>${box}<a:blip/></w:drawing></mc:Choice><mc:Fallback><w:pict>${box}</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>` +
      '<w:p><w:r><w:t>Fin</w:t><w:endnoteReference w:id="1"/></w:r></w:p>';
    const footnotes = wordXml('footnotes', `<w:footnote w:id="2">${word('Source : ADEME.')}</w:footnote>`);
    const endnotes = wordXml('endnotes', `<w:endnote w:id="1">${word('Merci.')}</w:endnote>`);
    const header1 = wordXml('hdr', word('Rapport annuel – confidentiel'));
    const footer1 = wordXml('ftr', word('Page 3 sur 12'));
    const file = docxOf(body, { footnotes, endnotes, header1, footer1 });
    const { pages, summary } = await readAll(readDocx, file);
    expect(pages[0]?.markdown).toBe(
      'Affirmation[^1].\n\n[^1]: Source : ADEME.\n\nDans la boîte\n\nFin[^2]\n\n[^2]: Merci.\n\nRapport annuel – confidentiel',
    );
    expect(summary.warnings).toEqual([
      '1 picture left out: what is written in a picture has to be recognised first (OCR).',
    ]);
  });

  it('reads text boxes in headers and notes, and of a header all that is no page number', async () => {
    const box = (text: string): string =>
      `<w:p><w:r><w:t>${text}</w:t><w:pict><w:txbxContent>${word(`${text} en boîte`)}</w:txbxContent></w:pict></w:r></w:p>`;
    const body = '<w:p><w:r><w:t>Corps</w:t><w:footnoteReference w:id="2"/></w:r></w:p>';
    const footnotes = wordXml('footnotes', `<w:footnote w:id="2">${box('Note')}</w:footnote>`);
    const told = ['PR-042', 'P-12', 'v2', '2.1', '2024', '12/03/24'];
    const numbers = [
      '3',
      '3 / 12',
      'Page 3 sur 12',
      '- iv -',
      'p. 3',
      '第 3 頁，共 12 頁',
      'Seite  von ',
      '',
    ];
    const header1 = wordXml('hdr', box('En-tête') + [...told, ...numbers].map((text) => word(text)).join(''));
    expect(await markdownOf(readDocx, docxOf(body, { footnotes, header1 }))).toBe(
      ['Corps[^1]', '[^1]: Note Note en boîte', 'En-tête', 'En-tête en boîte', ...told].join('\n\n'),
    );
  });

  it('reads what was chosen and ticked in form fields', async () => {
    const field = (data: string, shown = ''): string =>
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${data}</w:ffData></w:fldChar></w:r><w:r><w:instrText>FORM</w:instrText></w:r>` +
      `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${shown}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const entries = '<w:listEntry w:val="Approuvé"/><w:listEntry w:val="Refusé"/>';
    const line = (text: string, fields: string): string =>
      `<w:p><w:r><w:t xml:space="preserve">${text} </w:t></w:r>${fields}</w:p>`;
    const body =
      line('Statut', field(`<w:ddList><w:result w:val="1"/>${entries}</w:ddList>`)) +
      line('Avis', field(`<w:ddList><w:default w:val="1"/>${entries}</w:ddList>`)) +
      line('Premier', field(`<w:ddList>${entries}</w:ddList>`)) +
      line('Écrit', field(`<w:ddList>${entries}</w:ddList>`, '<w:r><w:t>Approuvé</w:t></w:r>')) +
      line('Conforme', field('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>')) +
      line('D’office', field('<w:checkBox><w:default w:val="1"/></w:checkBox>')) +
      line('Non conforme', field('<w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>')) +
      line('Nom', field('<w:textInput/>', '<w:r><w:t>Diop</w:t></w:r>'));
    expect((await markdownOf(readDocx, docxOf(body))).split('\n\n')).toEqual([
      'Statut Refusé',
      'Avis Refusé',
      'Premier Approuvé',
      'Écrit Approuvé',
      'Conforme ☒',
      'D’office ☒',
      'Non conforme ☐',
      'Nom Diop',
    ]);
  });

  it('says where parts of the text are in another format, which Word takes over when it saves the file', async () => {
    const chunk = '<w:altChunk r:id="c"/>';
    const table = `<w:tbl>${row(cell(chunk), cell(word('b')))}</w:tbl>`;
    const { pages, summary } = await readAll(readDocx, docxOf(word('a') + chunk + table));
    expect(pages[0]?.markdown).toMatch(/^a/);
    expect(summary.warnings).toEqual([
      expect.stringMatching(/^2 parts of the text in another format left out/),
    ]);
  });

  it('cuts a long document before its headings, loses nothing and repeats nothing', async () => {
    const styles = wordXml('styles', style('H1', 'heading 1'));
    const chapters = Array.from({ length: 40 }, (_, index) => `Chapitre ${index}`);
    const body = chapters
      .map((title) => word(title, styled('H1')) + word(`Texte de ${title}. `.repeat(80)))
      .join('');
    const { pages } = await readAll(readDocx, docxOf(body, { styles }));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.every(({ markdown }) => markdown.startsWith('# ') && markdown.length <= 40_000)).toBe(true);
    const text = pages.map(({ markdown }) => markdown).join('\n\n');
    expect(text.match(/^# .*/gm)).toEqual(chapters.map((title) => `# ${title}`));
  });

  it('reads the strict variant, other prefixes, other names of parts and UTF-16', async () => {
    const strict =
      '<?xml version="1.0" encoding="UTF-16"?><x:document xmlns:x="http://purl.oclc.org/ooxml/wordprocessingml/main"><x:body><x:p><x:r><x:t>Été</x:t></x:r></x:p></x:body></x:document>';
    const file = zipOf({
      '_rels/.rels': relationships({ r1: ['officeDocument', '/word/document2.xml'] }).replaceAll(
        'schemas.openxmlformats.org/officeDocument/2006',
        'purl.oclc.org/ooxml/officeDocument',
      ),
      'word/document2.xml': Buffer.from(`\ufeff${strict}`, 'utf16le'),
    });
    expect(await markdownOf(readDocx, file)).toBe('Été');
  });

  it('reads what is there when parts are missing or broken, and says so', async () => {
    const missing = zipOf({
      'word/document.xml': wordXml('document', `<w:body>${word('Texte')}</w:body>`),
      'word/_rels/document.xml.rels': relationships({ r1: ['styles', 'nowhere.xml'] }),
    });
    expect((await readAll(readDocx, missing)).summary.warnings).toEqual([
      'Styles are missing or damaged in the file.',
    ]);
    const cut = zipOf({
      'word/document.xml': `<w:document xmlns:w="${WORD}"><w:body>${word('Début')}<w:p><w:r>`,
    });
    const { pages, summary } = await readAll(readDocx, cut);
    expect(pages.map(({ markdown }) => markdown)).toEqual(['Début']);
    expect(summary.warnings).toEqual([
      'The file is damaged: what comes after the last text that could be read is missing.',
    ]);
  });
});
