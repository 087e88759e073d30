import { docxOf, word, wordXml } from '../dist/office/fixtures.double.js';
import { sentencesOf } from './drawing.js';

function heading(title) {
  return word(title, '<w:pStyle w:val="Heading1"/>');
}
function wordCell(content) {
  return `<w:tc>${content}</w:tc>`;
}
function texts(bodyOf, parts) {
  return (sections) => ({ bytes: docxOf(sections.map(bodyOf).join(''), parts), begins: null });
}
function textBox(content) {
  return `<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing><w:txbxContent>${content}</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>${content}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`;
}

/** How texts of a word processor are laid out. Nobody knows their pages before they are printed. */
export const textLayouts = {
  'headings and paragraphs': texts(({ title, body }) => heading(title) + word(body)),
  'a paragraph a sentence, in a list': texts(
    ({ title, body }) =>
      heading(title) +
      sentencesOf(body)
        .map((each) => word(each, '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'))
        .join(''),
  ),
  'a table of labels and texts': (sections) => ({
    bytes: docxOf(
      `<w:tbl>${sections.map(({ title, body }) => `<w:tr>${wordCell(word(title))}${wordCell(word(body))}</w:tr>`).join('')}</w:tbl>`,
    ),
    begins: null,
  }),
  'a table that only frames': texts(
    ({ title, body }) => `<w:tbl><w:tr>${wordCell(heading(title) + word(body))}</w:tr></w:tbl>`,
  ),
  'text boxes': texts(({ title, body }) => heading(title) + textBox(word(body))),
  'fields of a form': texts(
    ({ title, body }) => `${heading(title)}<w:sdt><w:sdtContent>${word(body)}</w:sdtContent></w:sdt>`,
  ),
  'runs of a spelling check': texts(
    ({ title, body }) =>
      `${heading(title)}<w:p>${body.replaceAll(
        /\S+\s*/g,
        '<w:proofErr w:type="spellStart"/><w:r><w:t xml:space="preserve">$&</w:t></w:r>',
      )}</w:p>`,
  ),
  'tracked changes': texts(
    ({ title, body }) =>
      `${heading(title)}<w:p><w:del><w:r><w:delText>Draft.</w:delText></w:r></w:del><w:ins><w:r><w:t xml:space="preserve">${body}</w:t></w:r></w:ins></w:p>`,
  ),
  'columns, lines broken by hand': texts(
    ({ title, body }) =>
      `${heading(title)}<w:p>${sentencesOf(body)
        .map((each) => `<w:r><w:t xml:space="preserve">${each}</w:t></w:r>`)
        .join('<w:r><w:br/></w:r>')}</w:p>`,
  ),
  'texts in footnotes': (sections) => {
    const notes = sections.map(({ body }, at) => `<w:footnote w:id="${at + 1}">${word(body)}</w:footnote>`);
    const marked = sections.map(
      ({ title }, at) =>
        `<w:p><w:r><w:t>${title}</w:t></w:r><w:r><w:footnoteReference w:id="${at + 1}"/></w:r></w:p>`,
    );
    return {
      bytes: docxOf(marked.join(''), { footnotes: wordXml('footnotes', notes.join('')) }),
      begins: null,
    };
  },
};
