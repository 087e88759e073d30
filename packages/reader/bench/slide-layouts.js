import { drawn, pptxOf, relationships, shape, slideOf } from '../dist/office/fixtures.double.js';
import { sentencesOf } from './drawing.js';

/** English metric units. */
const INCH = 914_400;

function ownPages(sections) {
  return sections.map((_, at) => at + 1);
}

function titleShape(title, at) {
  return shape([title], { placeholder: 'type="title"', ...(at && { at }) });
}
function box(paragraphs, column, row) {
  return shape(paragraphs, { at: [(0.5 + 4 * column) * INCH, (1.5 + 1.2 * row) * INCH] });
}
function frame(content) {
  return `<p:graphicFrame><p:nvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="${2 * INCH}"/></p:xfrm><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`;
}
function slideRow(...cells) {
  return `<a:tr>${cells.map((text) => `<a:tc><a:txBody>${drawn(text)}</a:txBody></a:tc>`).join('')}</a:tr>`;
}
/** A slide a section. */
function slides(slide) {
  return (sections) => ({
    bytes: pptxOf(sections.map(slide)),
    begins: ownPages(sections),
  });
}
function half(sentences, isSecond) {
  const middle = Math.ceil(sentences.length / 2);
  return isSecond ? sentences.slice(middle) : sentences.slice(0, middle);
}

/** How slides are laid out, one a section unless said otherwise. */
export const slideLayouts = {
  'a title and bullets': slides(({ title, body }) =>
    [titleShape(title), shape(sentencesOf(body), { placeholder: 'idx="1"' })].join(''),
  ),
  'a title below its text': slides(({ title, body }) =>
    [box([body], 0, 0), titleShape(title, [0, 6 * INCH])].join(''),
  ),
  'two boxes, the right one written first': slides(({ title, body }) => {
    const sentences = sentencesOf(body);
    return [box(half(sentences, true), 1, 0), box(half(sentences, false), 0, 0), titleShape(title)].join('');
  }),
  'a box a sentence, written from below': slides(({ title, body }) =>
    [
      titleShape(title),
      ...sentencesOf(body)
        .map((each, row) => box([each], 0, row))
        .toReversed(),
    ].join(''),
  ),
  'a table': slides(({ title, body }) =>
    [titleShape(title), frame(`<a:tbl>${slideRow(title, body)}${slideRow('—', '—')}</a:tbl>`)].join(''),
  ),
  'boxes in a group': slides(({ title, body }) =>
    [
      titleShape(title),
      `<p:grpSp><p:nvGrpSpPr><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="${2 * INCH}"/><a:ext cx="100" cy="100"/><a:chOff x="0" y="0"/><a:chExt cx="100" cy="100"/></a:xfrm></p:grpSpPr>${sentencesOf(
        body,
      )
        .map((each, row) => box([each], 0, row))
        .join('')}</p:grpSp>`,
    ].join(''),
  ),
  'each word formatted by itself': slides(({ title, body }) =>
    [
      titleShape(title),
      box([`<a:p>${body.replaceAll(/\S+\s*/g, '<a:r><a:rPr b="1"/><a:t>$&</a:t></a:r>')}</a:p>`], 0, 0),
    ].join(''),
  ),
  'lines broken by hand': slides(({ title, body }) =>
    [
      titleShape(title),
      box(
        [
          `<a:p>${sentencesOf(body)
            .map((each) => `<a:r><a:t>${each}</a:t></a:r>`)
            .join('<a:br/>')}</a:p>`,
        ],
        0,
        0,
      ),
    ].join(''),
  ),
  'the text in the notes': (sections) => {
    const notes = sections.flatMap(({ body }, at) => [
      [
        `ppt/slides/_rels/slide${at + 1}.xml.rels`,
        relationships({ n: ['notesSlide', `../notesSlides/notesSlide${at + 1}.xml`] }),
      ],
      [
        `ppt/notesSlides/notesSlide${at + 1}.xml`,
        slideOf('notes', shape([body], { placeholder: 'type="body"' })),
      ],
    ]);
    return {
      bytes: pptxOf(
        sections.map(({ title }) => titleShape(title)),
        Object.fromEntries(notes),
      ),
      begins: ownPages(sections),
    };
  },
  'two sections a slide, side by side': (sections) => {
    const pairs = sections.flatMap((_, at) => (at % 2 === 0 ? [sections.slice(at, at + 2)] : []));
    return {
      bytes: pptxOf(
        pairs.map((pair) => pair.map(({ title, body }, column) => box([title, body], column, 0)).join('')),
      ),
      begins: sections.map((_, at) => Math.floor(at / 2) + 1),
    };
  },
};
