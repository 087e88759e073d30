import type { Report, ReportFormat } from './report.js';
import { type ReportKind, reportWordingOf } from './report-wording.js';

export const mediaTypes: Readonly<Record<ReportFormat, string>> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pdf: 'application/pdf',
};

const MAX_COMPANY_CHARACTERS = 60;

/** What no file system and no header likes in a name. */
const forbidden = /[\\/:*?"<>|\p{C}]+/gu;

/** A name that tells the files of a company apart: kind, company, day. */
export function fileNameOf(kind: ReportKind, report: Report, format: ReportFormat): string {
  const company = Array.from(report.company.toWellFormed().replaceAll(forbidden, ' '))
    .slice(0, MAX_COMPANY_CHARACTERS)
    .join('')
    .trim();
  const day = report.day.toISOString().slice(0, 10);
  const pieces = [reportWordingOf(report.language).texts.fileNames[kind], company, day];
  return `${pieces.filter((piece) => piece !== '').join(' - ')}.${format}`;
}
