import type { PDFPageProxy } from 'pdfjs-dist';

const MAX_ANNOTATIONS = 2000;
const MAX_CHARACTERS = 10_000;

/** What people wrote on a page: into its form, beside its text, or as a note. */
export interface Annotations {
  /** May be empty. */
  markdown: string;
  /** There are more than are read. */
  isCut: boolean;
}

export const readAnnotations = async (page: PDFPageProxy): Promise<Annotations> => {
  const annotations: unknown[] = await page.getAnnotations();
  const lines = new Set<string>();
  for (const annotation of annotations.slice(0, MAX_ANNOTATIONS)) {
    if (typeof annotation !== 'object' || annotation === null) continue;
    const line = lineOf(annotation as Record<string, unknown>);
    if (line !== null) lines.add(line);
  }
  return { markdown: [...lines].join('\n'), isCut: annotations.length > MAX_ANNOTATIONS };
};

const lineOf = (annotation: Record<string, unknown>): string | null => {
  if (annotation.hidden === true || annotation.password === true) return null;
  const value = annotation.subtype === 'Widget' ? valueOf(annotation) : noteOf(annotation);
  if (value === null) return null;
  const name = flat(annotation.alternativeText) || flat(annotation.fieldName);
  return annotation.subtype === 'Widget' && name !== '' ? `- ${name}: ${value}` : `- ${value}`;
};

/** What is filled in; null: nothing. */
const valueOf = (field: Record<string, unknown>): string | null => {
  const { fieldType, fieldValue } = field;
  if (fieldType === 'Btn') return isChosen(field) ? flat(fieldValue) : null;
  if (fieldType !== 'Tx' && fieldType !== 'Ch') return null;
  const shown = shownValues(field);
  const value = (Array.isArray(fieldValue) ? fieldValue : [fieldValue])
    .map((each) => flat(shown.get(each) ?? each))
    .filter((each) => each !== '')
    .join(', ');
  return value === '' ? null : value;
};

/** What a list shows for the values that it stores, such as « Sénégal » for SN. */
const shownValues = ({ options }: Record<string, unknown>): ReadonlyMap<unknown, unknown> => {
  const shown = new Map<unknown, unknown>();
  for (const option of (Array.isArray(options) ? options : []) as unknown[])
    if (typeof option === 'object' && option !== null && 'exportValue' in option && 'displayValue' in option)
      shown.set(option.exportValue, flat(option.displayValue) || null);
  return shown;
};

const isChosen = ({
  checkBox,
  radioButton,
  fieldValue,
  exportValue,
  buttonValue,
}: Record<string, unknown>): boolean =>
  fieldValue !== 'Off' &&
  flat(fieldValue) !== '' &&
  ((checkBox === true && fieldValue === exportValue) || (radioButton === true && fieldValue === buttonValue));

const notes = new Set([
  'Text',
  'FreeText',
  'Highlight',
  'Underline',
  'Squiggly',
  'StrikeOut',
  'Caret',
  'Stamp',
]);

const noteOf = ({ subtype, contentsObj }: Record<string, unknown>): string | null => {
  if (typeof subtype !== 'string' || !notes.has(subtype)) return null;
  if (typeof contentsObj !== 'object' || contentsObj === null || !('str' in contentsObj)) return null;
  return flat(contentsObj.str) || null;
};

/** On one line; nothing for anything but text. */
const flat = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, MAX_CHARACTERS).replaceAll(/\s+/g, ' ').trim() : '';
