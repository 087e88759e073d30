import type { JsonObject, Platform, SkillContext } from '@palabre/plugin';

import type { Kept } from '../kept-result.js';
import { fill, type Wording, wordingOf } from '../wording.js';
import { cleanText } from './clean-text.js';
import type { Dated, ReportFrame, ReportKind } from './content/report-frame.js';
import { ReportRenderer } from './report-renderer.js';
import { type Report, type ReportFormat, reportFormats } from './report.js';

/** Values of the skills' argument. */
export const formatChoices = [...reportFormats, 'both'] as const;

interface Order {
  kind: ReportKind;
  /** The user's title. */
  title?: string | undefined;
  format: ReportFormat | 'both';
  compose(frame: ReportFrame): Promise<Report>;
}

/** Renders reports and stores the files. All kinds of reports go through this. */
export class ReportWriter {
  private readonly renderer = new ReportRenderer();

  constructor(private readonly platform: Platform) {}

  /** Returns the text for the model. Rejects with Fault, or the signal's reason. */
  async write({ kind, title = '', format, compose }: Order, context: SkillContext): Promise<JsonObject> {
    const { report: wording, speech } = wordingOf(context.language);
    const say = (stage: keyof Wording['report']['stages']): void => context.progress(wording.stages[stage]);
    say('collecting');
    const createdAt = this.platform.now();
    const report = await compose({
      company: await this.platform.company(context),
      title: cleanText(title) || null,
      createdAt,
      day: this.platform.shown(createdAt),
    });
    const rendered = await this.renderer.render(report, {
      formats: format === 'both' ? reportFormats : [format],
      signal: context.signal,
      onBegin: say,
    });
    say('storing');
    const files = rendered.map(({ content, ...file }) => ({
      ...file,
      name: fileNameOf(kind, report, file.format),
      mediaType: mediaTypes[file.format],
      content,
    }));
    await this.platform.storeFiles(context, files);
    const formats = speech.list(rendered.map(({ format }) => wording.formatNames[format]));
    return {
      summary: fill(wording.done, { title: report.title, formats }),
      title: report.title,
      files: files.map(({ name, pages }) => ({ name, ...(pages !== null && { pages }) })),
    };
  }

  dated<Result>({ result, at, version, memberName }: Kept<unknown, Result>): Dated<Result> {
    return { details: result, at: this.platform.shown(at), version, memberName };
  }
}

export const mediaTypes: Readonly<Record<ReportFormat, string>> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pdf: 'application/pdf',
};

const MAX_COMPANY_CHARACTERS = 60;

/** Characters that file systems or headers refuse in names. */
const forbidden = /[\\/:*?"<>|\p{C}]+/gu;

export function fileNameOf(kind: ReportKind, report: Report, format: ReportFormat): string {
  const company = Array.from(report.company.toWellFormed().replaceAll(forbidden, ' '))
    .slice(0, MAX_COMPANY_CHARACTERS)
    .join('')
    .trim();
  const day = report.day.toISOString().slice(0, 10);
  const pieces = [wordingOf(report.language).report.fileNames[kind], company, day];
  return `${pieces.filter((piece) => piece !== '').join(' - ')}.${format}`;
}
