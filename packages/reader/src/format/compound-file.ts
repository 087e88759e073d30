import { DocumentRefused } from '../parsed-document.js';

/** Names of streams in a compound file and the refusal for each. The outermost stream comes first. */
const contents: readonly (readonly [stream: string, reason: string])[] = [
  [
    'EncryptedPackage',
    'The file is protected by a password. Open it in its program, save it without one and upload that.',
  ],
  ['WordDocument', 'This is a Word document of before 2007 (.doc). Save it as .docx and upload that.'],
  [
    'PowerPoint Document',
    'This is a PowerPoint presentation of before 2007 (.ppt). Save it as .pptx and upload that.',
  ],
  ['Workbook', 'This is an Excel workbook of before 2007 (.xls). Save it as .xlsx and upload that.'],
  ['Book', 'This is an Excel workbook of before 2007 (.xls). Save it as .xlsx and upload that.'],
  ['__substg1.0_', 'This is a message of Outlook (.msg). Save it as a PDF or as text and upload that.'],
  ['VisioDocument', 'This is a Visio drawing. Save it as a PDF and upload that.'],
];

/** Refuses OLE compound files: those of older programs, and encrypted files of newer ones. Throws DocumentRefused. */
export function refuseCompound(file: Buffer): never {
  const [, reason] = contents.find(([stream]) => file.includes(Buffer.from(stream, 'utf16le'))) ?? [];
  throw new DocumentRefused(
    reason ?? 'This is a file of an older office program. Save it as a PDF, .docx or .xlsx and upload that.',
  );
}
