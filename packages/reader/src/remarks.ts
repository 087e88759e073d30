/** `{name}` is a place for a value. With forms for one and for any other `count`. */
export type Sentence = string | Readonly<Record<'one' | 'other', string>>;

/** What there is to say about a file, in English, by its code. Other languages have the same codes and places. */
export const sentences = {
  // Why a file cannot be read, and what to do.
  EMPTY: 'The file is empty.',
  BLANK: 'The file has nothing in it but blanks.',
  NO_TEXT: 'There is no text in the file.',
  NO_KNOWN_KIND:
    'This is neither a text nor a document of a known kind. Save it as a PDF, an office document or a text and upload that.',
  ZEROS_WITHIN:
    'This is neither a text nor a document of a known kind: there are zeros (NUL) among its characters. Save it as a PDF, an office document or a text and upload that.',
  DAMAGED:
    'The file is damaged or not what its name says. Open it in its program, save it again and upload that.',
  DAMAGED_FORMAT:
    'The file is damaged or not a real {format} file. Open it in its program, save it again and upload that.',
  CUT_OFF:
    'The file is damaged or not complete: its end is missing. Upload it again, or open it in its program and save it again first.',
  PROTECTED:
    'The file is protected by a password. Open it in its program, save it without one and upload that.',
  TOO_MUCH_MEMORY:
    'Reading the file takes too much memory. Split it into smaller files, or save it without its pictures, and upload that.',
  TOO_MUCH_TIME:
    'Reading the file takes longer than {seconds} seconds. Split it into smaller files and upload those.',
  TOO_MUCH_UNPACKED:
    'The file unpacks to too much for the memory. Save it again with less in it, or split it into several files, and upload that.',
  TOO_MANY_PARTS: 'The file has more than {most} parts. Split it into several files and upload those.',
  TOO_MANY_PAGES: 'The document has more than {most} pages. Split it into smaller files and upload those.',
  TOO_MANY_CHARACTERS:
    'The document has more than {most} characters of text. Split it into smaller files and upload those.',
  NESTED_TOO_DEEP:
    'The parts of the file are nested too deep to be read. Open it in its program, save it again and upload that.',
  PAGE_NESTED_TOO_DEEP:
    'The parts of the page are nested too deep to be read. Save it as a PDF and upload that.',
  FRAMES_NESTED_TOO_DEEP:
    'The file has tables or frames nested more than {most} levels deep. Simplify it and upload it again.',
  GROUPS_NESTED_TOO_DEEP:
    'The file has groups nested more than {most} levels deep. Open it in a word processor, save it again and upload that.',
  DEFINES_ENTITIES:
    'The file defines XML entities, which no office program does. Save it again from an office program.',
  NOT_ITS_FORMAT:
    'The file holds nothing that a {extension} file is made of. Open it in an office program, save it as {extension} and upload that.',
  SCANNED: 'This PDF holds pictures of pages, not text: it needs OCR (text recognition) first.',
  NOTHING_ON_PAGES:
    'The pages of this PDF have nothing on them: they are empty, or damaged. Open it in its program, save it again and upload that.',
  BINARY_WORKBOOK:
    'This is a binary Excel workbook (.xlsb). Open it in Excel, save it as .xlsx and upload that.',
  OLD_OFFICE: 'This is a file of Office before 2007 ({extension}). Save it as {other} and upload that.',
  OLD_PROGRAM: 'This is a file of an older office program. Save it as a PDF, .docx or .xlsx and upload that.',
  OFFICE_XML:
    'This is an Office document in XML of 2003. Open it in its program, save it as .docx or .xlsx and upload that.',
  OTHER_OPEN_DOCUMENT:
    'This is an OpenDocument file of a kind that is not read ({kind}). Save it as a PDF and upload that.',
  FLAT_OPEN_DOCUMENT:
    'This is an OpenDocument file in a single XML. Save it as .odt, .ods or .odp and upload that.',
  OUTLOOK_MESSAGE: 'This is a message of Outlook (.msg). Save it as a PDF or as text and upload that.',
  EMAIL:
    'This is an e-mail (.eml). Save it as a PDF or as text, and what is attached to it as files of their own, and upload those.',
  WEB_ARCHIVE: 'This is a web page in a single file (.mhtml). Save it as HTML or as a PDF and upload that.',
  VISIO: 'This is a Visio drawing. Save it as a PDF and upload that.',
  IWORK: 'This is a document of Pages, Numbers or Keynote. Export it as a PDF and upload that.',
  EPUB: 'This is an e-book (EPUB). Upload it as a PDF.',
  POSTSCRIPT: 'This is a PostScript file. Save it as a PDF and upload that.',
  EMPTY_ARCHIVE: 'This is a ZIP archive with nothing in it. Upload a document.',
  ARCHIVE: 'This is an archive ({type}). Unpack it and upload the files that are in it.',
  PICTURE:
    'This is a picture ({type}). Upload a document; what is written in a picture has to be recognised first (OCR).',
  FILM: 'This is a film ({type}). Upload what is said in it as a text.',
  SOUND: 'This is a sound recording ({type}). Upload what is said in it as a text.',
  FONT: 'This is a font ({type}). Upload a document.',
  PROGRAM: 'This is a program ({type}). Upload a document.',
  DATABASE: 'This is a database ({type}). Save what is in it as .csv or .xlsx and upload that.',
  UNKNOWN_TYPE:
    'This is a file of the type {type}, which cannot be read. Save it as a PDF or a text and upload that.',

  // What was lost or is doubtful in a file that was read.
  MORE_WARNINGS: { one: 'There is {count} more warning.', other: 'There are {count} more warnings.' },
  MISNAMED:
    'The name ends in .{extension}, but the file is of the kind {format} and was read as that. If another file was meant, upload that one.',
  DOUBTFUL_ENCODING:
    'The file does not say how its characters are encoded. They were taken for {encoding}; if they are wrong, save it as UTF-8 and upload that.',
  UNREADABLE_CHARACTERS: {
    one: '{count} character could not be read.',
    other: '{count} characters could not be read.',
  },
  GARBLED:
    'Some of the text is garbled: its characters were saved in the wrong encoding before. Upload the original if there is one.',
  ZEROS_LEFT_OUT: 'The file has zeros (NUL) between its characters, which were left out.',
  UNCLOSED_QUOTES: 'Some quotation marks are not closed: near them values may stand in the wrong column.',
  SHOWN_IN_FRAMES:
    'The page shows others in frames: open those in a browser, save them as PDFs and upload these.',
  MADE_BY_SCRIPTS: 'Scripts put the page together: open it in a browser, save it as a PDF and upload that.',
  PICTURES_LEFT_OUT: {
    one: '{count} picture left out: what is written in a picture has to be recognised first (OCR).',
    other: '{count} pictures left out: what is written in a picture has to be recognised first (OCR).',
  },
  COMMENTS_LEFT_OUT: {
    one: '{count} comment left out: comments are not read.',
    other: '{count} comments left out: comments are not read.',
  },
  CHUNKS_LEFT_OUT: {
    one: '{count} part of the text in another format left out: open the file in Word, save it again and upload that.',
    other:
      '{count} parts of the text in another format left out: open the file in Word, save it again and upload that.',
  },
  RESULTS_MISSING: {
    one: '{count} formula without a saved result left out: open the file in a spreadsheet program, save it and upload it again.',
    other:
      '{count} formulas without a saved result left out: open the file in a spreadsheet program, save it and upload it again.',
  },
  CELLS_MISSING: {
    one: 'The text of {count} cell is missing in the file.',
    other: 'The text of {count} cells is missing in the file.',
  },
  HIDDEN_SHEETS: {
    one: '{count} hidden sheet read like the others.',
    other: '{count} hidden sheets read like the others.',
  },
  HIDDEN_SLIDES: {
    one: '{count} hidden slide read like the others.',
    other: '{count} hidden slides read like the others.',
  },
  SLIDES_WITHOUT_TEXT: { one: '{count} slide without text.', other: '{count} slides without text.' },
  HIDDEN_TEXT_LEFT_OUT: 'Hidden text was left out.',
  CHANGES_ACCEPTED:
    'Tracked changes were read as if they were accepted: what was deleted by them was left out.',
  CONTENTS_LEFT_OUT: 'The table of contents was left out: headings say what it says.',
  OBJECTS_LEFT_OUT: 'Embedded objects were left out: upload them as files of their own.',
  FORM_LEFT_OUT: 'What is filled into a form was left out: print the file to a PDF and upload that as well.',
  BROKEN_OFF: 'The file is damaged: what comes after the last text that could be read is missing.',

  // Parts of a file that are not there or cannot be read.
  REFERENCES_MISSING: 'References between the parts are missing or damaged in the file.',
  PARTS_LIST_MISSING: 'The list of parts is missing or damaged in the file.',
  STYLES_MISSING: 'Styles are missing or damaged in the file.',
  LIST_NUMBERS_MISSING: 'The numbers of lists are missing or damaged in the file.',
  FOOTNOTES_MISSING: 'Footnotes are missing or damaged in the file.',
  ENDNOTES_MISSING: 'Endnotes are missing or damaged in the file.',
  COMMENTS_MISSING: 'Comments are missing or damaged in the file.',
  HEADER_MISSING: 'A header or footer is missing or damaged in the file.',
  OBJECT_MISSING: 'An object is missing or damaged in the file.',
  CHART_MISSING: 'A chart is missing or damaged in the file.',
  DIAGRAM_MISSING: 'A diagram is missing or damaged in the file.',
  DRAWING_MISSING: 'A drawing is missing or damaged in the file.',
  NUMBER_FORMATS_MISSING: 'Formats of numbers are missing or damaged in the file.',
  CELL_TEXTS_MISSING: 'Texts of cells are missing or damaged in the file.',
  SHEET_MISSING: 'The sheet “{name}” is missing or damaged in the file.',
  SLIDE_MISSING: 'Slide {number} is missing or damaged in the file.',
  LAYOUT_MISSING: 'A layout is missing or damaged in the file.',
  NOTES_MISSING: 'Notes are missing or damaged in the file.',

  // Pages of a PDF. {pages} is a list such as 2, 4–6.
  PAGES_WITHOUT_TEXT:
    '{count} of {all} pages have no text ({pages}): they are probably scanned and need OCR.',
  PAGES_OF_PICTURES:
    '{count} of {all} pages are pictures with hardly any text ({pages}): they are probably scanned and need OCR.',
  PAGES_EMPTY: '{count} of {all} pages have nothing on them ({pages}): they are empty, or damaged.',
  PAGES_UNDECODED: {
    one: 'Page {pages}: the text could not be decoded in part, as its fonts do not say which characters they show.',
    other:
      'Pages {pages}: the text could not be decoded in part, as its fonts do not say which characters they show.',
  },
  PAGES_WITH_HIDDEN_LAYERS: {
    one: 'Page {pages}: text on layers that are switched off was left out.',
    other: 'Pages {pages}: text on layers that are switched off was left out.',
  },
  PAGES_DAMAGED: {
    one: 'Page {pages}: could not be read, as the file is damaged there.',
    other: 'Pages {pages}: could not be read, as the file is damaged there.',
  },
  PAGES_CUT: {
    one: 'Page {pages}: has more text than is read, or takes too long; the rest was left out.',
    other: 'Pages {pages}: have more text than is read, or take too long; the rest was left out.',
  },
  PAGES_MISSING: 'After page {number} more pages may be missing: the file is damaged there.',
  FILES_WITHIN: {
    one: 'A file inside of this PDF was not read ({names}). Upload what should be found on its own.',
    other:
      '{count} files inside of this PDF were not read ({names}). Upload what should be found on its own.',
  },
  DYNAMIC_FORM:
    'This PDF has a dynamic form (XFA), of which only the printed pages were read. Print it to a PDF and upload that, if something is missing.',
} satisfies Record<string, Sentence>;

export type RemarkCode = keyof typeof sentences;

export type RemarkValues = Readonly<Record<string, string | number>>;

/** Something to be said to people about a file: the code of a sentence and the values in its places. */
export interface Remark {
  code: RemarkCode;
  values: RemarkValues;
}

export function remark(code: RemarkCode, values: RemarkValues = {}): Remark {
  return { code, values };
}

/** The remark as a sentence of `language`, BCP 47. A place without a value keeps its name. */
export function sentenceOf(sentence: Sentence, { values }: Pick<Remark, 'values'>, language: string): string {
  const form = typeof sentence === 'string' ? sentence : values.count === 1 ? sentence.one : sentence.other;
  const numbers = new Intl.NumberFormat(language);
  return form.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name] ?? place;
    return typeof value === 'number' ? numbers.format(value) : value;
  });
}

export function inEnglish(told: Remark): string {
  return sentenceOf(sentences[told.code], told, 'en');
}
