import { drawn, pptxOf, readAll, relationships, shape, slideOf } from '../fixtures.double.js';
import { readPptx } from './read-pptx.js';

function cell(text: string, attributes = ''): string {
  return `<a:tc${attributes}><a:txBody>${drawn(text)}</a:txBody></a:tc>`;
}
function table(at: number, ...rows: readonly string[]): string {
  return `<p:graphicFrame><p:nvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="${at}"/></p:xfrm><a:graphic><a:graphicData><a:tbl>${rows
    .map((cells) => `<a:tr>${cells}</a:tr>`)
    .join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
}

describe('readPptx', () => {
  it('gives slides with title, lists, boxes in reading order, tables and notes', async () => {
    const first =
      shape(['En bas à droite'], { at: [5_000_000, 4_000_000] }) +
      shape(['En bas à gauche'], { at: [0, 4_100_000] }) +
      shape(['Énergie', '2023'], { placeholder: 'type="ctrTitle"', at: [0, 9_000_000] }) +
      shape(
        [
          drawn('Uno'),
          drawn('Dentro', '<a:pPr lvl="1"/>'),
          drawn('Numerado', '<a:pPr><a:buAutoNum type="alphaLcParenR"/></a:pPr>'),
          drawn('Otro', '<a:pPr><a:buAutoNum type="alphaLcParenR"/></a:pPr>'),
          drawn('Sin viñeta', '<a:pPr><a:buNone/></a:pPr>'),
        ],
        { placeholder: 'idx="1"' },
      ) +
      shape(['7'], { placeholder: 'type="sldNum"' }) +
      table(
        6_000_000,
        cell('Site') + cell('kWh'),
        cell('Dakar', ' rowSpan="2"') + cell('1'),
        cell('', ' vMerge="1"') + cell('2'),
        cell('總計', ' gridSpan="2"') + cell('', ' hMerge="1"'),
      );
    const file = pptxOf([first, shape(['第二'], { placeholder: 'type="title"' }), ''], {
      'ppt/slides/_rels/slide1.xml.rels': relationships({
        l: ['slideLayout', '../slideLayouts/slideLayout1.xml'],
        n: ['notesSlide', '../notesSlides/notesSlide1.xml'],
      }),
      'ppt/slideLayouts/slideLayout1.xml': slideOf(
        'sldLayout',
        shape(['Modifiez'], { placeholder: 'idx="1"', at: [0, 1_000_000] }),
      ),
      'ppt/notesSlides/notesSlide1.xml': slideOf(
        'notes',
        shape(['12'], { placeholder: 'type="sldNum"' }) + shape(['À dire.'], { placeholder: 'type="body"' }),
      ),
      'ppt/slides/slide2.xml': slideOf('sld', shape(['第二'], { placeholder: 'type="title"' }), ' show="0"'),
    });
    const { pages, summary } = await readAll(readPptx, file);
    expect(pages).toEqual([
      {
        number: 1,
        markdown: [
          '# Énergie 2023',
          '',
          '- Uno',
          '    - Dentro',
          '- a) Numerado',
          '- b) Otro',
          '',
          'Sin viñeta',
          '',
          'En bas à gauche',
          '',
          'En bas à droite',
          '',
          '| Site | kWh |',
          '| --- | --- |',
          '| Dakar | 1 |',
          '| Dakar | 2 |',
          '| 總計 |  |',
          '',
          'Notes:',
          '',
          'À dire.',
        ].join('\n'),
      },
      { number: 2, markdown: '# 第二' },
      { number: 3, markdown: '' },
    ]);
    expect(summary).toEqual({
      pages: 3,
      warnings: ['1 hidden slide read like the others.', '1 slide without text.'],
    });
  });

  it('keeps apart what stands above or below its line', async () => {
    const run = (text: string, baseline: string): string =>
      `<a:r><a:rPr baseline="${baseline}"/><a:t>${text}</a:t></a:r>`;
    const text = `<a:p>${run('10', '0')}${run('6', '30000')}${run(' CO', '0')}${run('2', '-25%')}</a:p>`;
    const { pages } = await readAll(readPptx, pptxOf([shape([text])]));
    expect(pages[0]?.markdown).toBe('10⁶ CO₂');
  });

  it('says how many comments there are on a slide', async () => {
    const own = slideOf('cmLst', '').replace(/<p:cSld>.*<\/p:cSld>/, '<p:cm><p:text>b</p:text></p:cm>');
    const modern =
      '<p188:cmLst xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main"><p188:cm/></p188:cmLst>';
    const file = pptxOf([shape(['a'])], {
      'ppt/slides/_rels/slide1.xml.rels': relationships({
        a: ['comments', '../comments/comment1.xml'],
        b: ['comments', '../comments/modernComment1.xml'],
      }),
      'ppt/comments/comment1.xml': own,
      'ppt/comments/modernComment1.xml': modern,
    });
    const { pages, summary } = await readAll(readPptx, file);
    expect(pages[0]?.markdown).toBe('a');
    expect(summary.warnings).toEqual(['2 comments left out: comments are not read.']);
  });

  it('reads groups, charts and diagrams, and says what is missing', async () => {
    const group = `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="1000000"/></a:xfrm></p:grpSpPr>${shape(['Groupé'], { at: [9, 9_000_000] })}</p:grpSp>`;
    const frame = (content: string): string =>
      `<p:graphicFrame><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`;
    const dgm = 'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"';
    const file = pptxOf(
      [
        shape(['Après'], { at: [0, 2_000_000] }) +
          group +
          frame(`<dgm:relIds ${dgm} r:dm="d"/>`) +
          frame('<c:chart r:id="c"/>'),
        'x',
      ],
      {
        'ppt/slides/_rels/slide1.xml.rels': relationships({
          d: ['diagramData', '../diagrams/data1.xml'],
          c: ['chart', '../charts/nowhere.xml'],
        }),
        'ppt/diagrams/data1.xml': `<dgm:dataModel ${dgm} xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst><dgm:pt><dgm:t>${drawn('Mesurer')}</dgm:t></dgm:pt><dgm:pt><dgm:t><a:p/></dgm:t></dgm:pt><dgm:pt><dgm:t>${drawn('Réduire')}</dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`,
        'ppt/slides/slide2.xml': '<broken',
      },
    );
    const { pages, summary } = await readAll(readPptx, file);
    expect(pages.map(({ markdown }) => markdown)).toEqual(['Groupé\n\nAprès\n\n- Mesurer\n- Réduire', '']);
    expect(summary.warnings).toEqual([
      'A chart is missing or damaged in the file.',
      'Slide 2 is missing or damaged in the file.',
    ]);
  });
});
