import type { PDFPageProxy } from 'pdfjs-dist';

const MAX_ANNOTATIONS = 2000;
const MAX_CHARACTERS = 10_000;

/** What people added to a page: form values, text and notes. */
export interface Annotations {
  /** May be empty. */
  markdown: string;
  /** Names of files that are attached to the page. */
  files: string[];
  /** There are more than are read. */
  isCut: boolean;
}

export async function readAnnotations(page: PDFPageProxy): Promise<Annotations> {
  const annotations: unknown[] = await page.getAnnotations();
  const lines = new Set<string>();
  const files: string[] = [];
  for (const annotation of annotations.slice(0, MAX_ANNOTATIONS)) {
    if (typeof annotation !== 'object' || annotation === null) continue;
    const line = lineOf(annotation as Record<string, unknown>);
    if (line !== null) lines.add(line);
    if ('file' in annotation && typeof annotation.file === 'object' && annotation.file !== null)
      files.push('filename' in annotation.file ? flat(annotation.file.filename) : '');
  }
  return { markdown: [...lines].join('\n'), files, isCut: annotations.length > MAX_ANNOTATIONS };
}

function lineOf(annotation: Record<string, unknown>): string | null {
  if (annotation.hidden === true || annotation.password === true) return null;
  const value = annotation.subtype === 'Widget' ? valueOf(annotation) : noteOf(annotation);
  if (value === null) return null;
  const name = flat(annotation.alternativeText) || flat(annotation.fieldName);
  return annotation.subtype === 'Widget' && name !== '' ? `- ${name}: ${value}` : `- ${value}`;
}

/** The value of a field; null: it is empty. */
function valueOf(field: Record<string, unknown>): string | null {
  const { fieldType, fieldValue } = field;
  if (fieldType === 'Btn') return isChosen(field) ? flat(fieldValue) : null;
  if (fieldType !== 'Tx' && fieldType !== 'Ch') return null;
  const shown = shownValues(field);
  const value = (Array.isArray(fieldValue) ? fieldValue : [fieldValue])
    .map((each) => flat(shown.get(each) ?? each))
    .filter((each) => each !== '')
    .join(', ');
  return value === '' ? null : value;
}

/** The labels of a list's values, such as « Sénégal » for SN. */
function shownValues({ options }: Record<string, unknown>): ReadonlyMap<unknown, unknown> {
  const shown = new Map<unknown, unknown>();
  for (const option of (Array.isArray(options) ? options : []) as unknown[])
    if (typeof option === 'object' && option !== null && 'exportValue' in option && 'displayValue' in option)
      shown.set(option.exportValue, flat(option.displayValue) || null);
  return shown;
}

function isChosen({
  checkBox,
  radioButton,
  fieldValue,
  exportValue,
  buttonValue,
}: Record<string, unknown>): boolean {
  return (
    fieldValue !== 'Off' &&
    flat(fieldValue) !== '' &&
    ((checkBox === true && fieldValue === exportValue) ||
      (radioButton === true && fieldValue === buttonValue))
  );
}

const notes = new Set('Text FreeText Highlight Underline Squiggly StrikeOut Caret Stamp'.split(' '));

function noteOf({ subtype, contentsObj }: Record<string, unknown>): string | null {
  if (typeof subtype !== 'string' || !notes.has(subtype)) return null;
  if (typeof contentsObj !== 'object' || contentsObj === null || !('str' in contentsObj)) return null;
  return flat(contentsObj.str) || null;
}

/** On one line; empty for anything but text. */
function flat(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_CHARACTERS).replaceAll(/\s+/g, ' ').trim() : '';
}
