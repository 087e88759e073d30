import { z } from 'zod';
import { parametersOf, readInput } from '@palabre/plugin';
import type { JsonObject, JsonValue } from '@palabre/json';

import { Calendar } from '../../../common/calendar.js';
import { Plugins } from '../../../common/plugins.js';
import { counted, fill, type Wording, wordingIn } from '../../../common/wording/wording.js';
import { TurnAttachments } from '../../../conversations/turns/turn-attachments.service.js';
import { Database } from '../../../platform/database/database.js';
import type { AnalysisResult, KeyFigure } from '../../../documents/analysis/analysis-result.js';
import type { AnalysisFocus, DocumentAnalysis } from '../../../documents/analysis/analysis.repository.js';
import { DocumentAnalyses } from '../../../documents/analysis/document-analyses.service.js';
import { NamedDocuments } from '../../../documents/analysis/named-documents.service.js';
import type { DocumentView } from '../../../documents/document-view.js';
import { errorIn } from '../../../documents/document-remark.js';
import { DocumentSearch } from '../../../documents/search/document-search.service.js';
import type { FoundPassage } from '../../../documents/search/found-passage.js';
import { FunctionSkill } from '../../function-skill.decorator.js';
import { readsForeign, type Skill, SkillAnswer, type SkillContext, SkillError } from '../../skill.js';
import { ANALYZE_DOCUMENT } from './document-skill-keys.js';
import { AwaitedAnalyses } from './awaited-analyses.service.js';

/** How long a person waits before the answer goes on without the analysis. */
const MAX_WAIT_MS = 20_000;
/** Progress is told in steps of this size. */
const STEP_PERCENT = 10;

const MAX_QUESTION_CHARACTERS = 1_000;
/** Of the document, that bear on a question. */
const MAX_PASSAGES = 4;

const Input = z.strictObject({
  document: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .optional()
    .describe('Its name, a part of it, or its id. Left out: the only one that there is.'),
  focus: z
    .enum(['summary', 'esg'])
    .optional()
    .describe('esg: besides summary and figures, what it holds for an ESG file and what is missing.'),
  question: z
    .string()
    .trim()
    .min(1)
    .max(MAX_QUESTION_CHARACTERS)
    .optional()
    .describe('What the user wants to know besides: gives the passages that bear on it.'),
});

interface Begun {
  document: DocumentView;
  analysis: DocumentAnalysis;
}

/** Reads a whole document, however long, and says what is in it. */
@FunctionSkill()
export class AnalyzeDocumentSkill implements Skill {
  readonly key = ANALYZE_DOCUMENT;
  readonly name = wordingIn('en').skillNames.analyze_document;
  readonly description =
    'Analyses a whole document: summary, key figures with their page, and for ESG what it supports and what is missing. ' +
    'Use it when the user asks about a document as a whole, not for a single question. A long one goes on in the ' +
    'background: call it again later for the result.';
  readonly parameters = parametersOf(Input);
  readonly idempotent = true;
  readonly effect = readsForeign;

  constructor(
    private readonly database: Database,
    private readonly documents: NamedDocuments,
    private readonly analyses: DocumentAnalyses,
    private readonly awaited: AwaitedAnalyses,
    private readonly search: DocumentSearch,
    private readonly calendar: Calendar,
    private readonly plugins: Plugins,
    private readonly attachments: TurnAttachments,
  ) {}

  get timeoutMs(): number {
    return MAX_WAIT_MS + 15_000;
  }

  async run(input: JsonObject, context: SkillContext): Promise<JsonValue | SkillAnswer> {
    const { document: wanted = null, focus, question = null } = readInput(Input, input);
    const begun = await this.begin(wanted, this.focusOf(focus, context), context);
    const { companyId, turnId, signal, language } = context;
    const analysis = await this.awaited.wait(begun.analysis.id, {
      companyId,
      turnId,
      maxMs: MAX_WAIT_MS,
      signal,
      onProgress: progressTeller(begun.document, context),
    });
    const result = resultOf(begun.document, analysis, language);
    if (!result) return unfinishedAnswer(begun.document, analysis?.progress ?? 0, language);
    const passages = await this.passagesOn(question, begun.document, context);
    return finishedAnswer(begun.document, result, passages, language);
  }

  /** Some assistants are asked about documents because of what packages look for in them. */
  private focusOf(focus: 'summary' | 'esg' | undefined, { assistantKey }: SkillContext): AnalysisFocus {
    if (focus) return focus === 'esg' ? 'ESG' : 'SUMMARY';
    const isAdviser = this.plugins.indicators.some(({ assistants }) => assistants.includes(assistantKey));
    return isAdviser ? 'ESG' : 'SUMMARY';
  }

  private async passagesOn(
    query: string | null,
    { id, scope }: DocumentView,
    { companyId, memberId, signal }: SkillContext,
  ): Promise<readonly FoundPassage[]> {
    if (query === null) return [];
    const asked =
      scope === 'COMPANY'
        ? { query, limit: MAX_PASSAGES, documentIds: [id] }
        : { query, limit: MAX_PASSAGES, documentIds: [], attached: { memberId, documentIds: [id] } };
    return (await this.search.search(companyId, asked, signal)).passages;
  }

  private async begin(wanted: string | null, focus: AnalysisFocus, context: SkillContext): Promise<Begun> {
    const attached = await this.attachments.listDocumentIds(context.companyId, context.turnId);
    const { companyId, turnId, memberId, assistantKey: assistant, language, documentIds } = context;
    return this.database.transaction(companyId, async (tx) => {
      const found = await this.documents.find(tx, wanted, documentIds, attached);
      const document = this.onlyOne(found, wanted, language);
      const obstacle = obstacleOf(document, language);
      if (obstacle) throw obstacle;
      const { contentId } = document;
      // Webhooks tell admins the titles of notifications.
      const documentName = document.scope === 'COMPANY' ? document.name : '';
      const asked = {
        contentId: contentId ?? '',
        focus,
        language,
        turnId,
        memberId,
        assistant,
        documentName,
      };
      const analysis = await this.analyses.ask(tx, asked);
      if (!analysis)
        throw new SkillError(fill(wordingIn(language).analysisSkill.notFound, { wanted: document.name }));
      return { document, analysis };
    });
  }

  private onlyOne(documents: readonly DocumentView[], wanted: string | null, language: string): DocumentView {
    const [document, another] = documents;
    const wording = wordingIn(language).analysisSkill;
    if (!document)
      throw new SkillError(wanted === null ? wording.noDocument : fill(wording.notFound, { wanted }));
    if (another) throw ambiguityOf(documents, language, this.calendar);
    return document;
  }
}

function progressTeller(
  { name }: DocumentView,
  { progress, language }: SkillContext,
): (analysis: DocumentAnalysis) => void {
  let told = -STEP_PERCENT;
  return (analysis) => {
    const percent = percentOf(analysis.progress);
    if (percent < told + STEP_PERCENT) return;
    told = percent;
    progress(fill(wordingIn(language).analysisSkill.reading, { name, percent }));
  };
}

/** Null: it is not there yet. */
function resultOf(
  { name }: DocumentView,
  analysis: DocumentAnalysis | null,
  language: string,
): AnalysisResult | null {
  const wording = wordingIn(language).analysisSkill;
  if (!analysis) throw new SkillError(fill(wording.notFound, { wanted: name }));
  if (analysis.failure !== null) throw new SkillError(fill(wording.failed[analysis.failure], { name }));
  return analysis.result;
}

/** Key figures that a model is shown. The details hold all of them. */
const MAX_FIGURES = 20;

function percentOf(share: number): number {
  return Math.floor(Math.round(share * 1000) / 10);
}

/** What a model reads of a document that was analysed. */
function finishedAnswer(
  { id, name }: DocumentView,
  result: AnalysisResult,
  passages: readonly FoundPassage[],
  language: string,
): SkillAnswer {
  const wording = wordingIn(language).analysisSkill;
  const { keyFigures, esg, coverage } = result;
  const said = [doneText(name, keyFigures.length, coverage, wording)];
  if (esg) {
    const covered = counted(wording.covered, esg.covered.length);
    said.push(fill(wording.esg, { covered, missing: counted(wording.missing, esg.missing.length) }));
  }
  return new SkillAnswer(
    {
      summary: said.join(' '),
      status: 'COMPLETED',
      document: { id, name },
      content: result.summary,
      keyFigures: keyFigures.slice(0, MAX_FIGURES).map(shortFigure),
      ...(esg && { esg: shortEsg(esg) }),
      ...(passages.length > 0 && { passages: passages.map(shortPassage) }),
      coverage,
    },
    { kind: 'document_analysis', documentId: id, documentName: name, ...result },
  );
}

function doneText(
  name: string,
  figures: number,
  { pages, pagesRead, isWhole }: AnalysisResult['coverage'],
  wording: Wording['analysisSkill'],
): string {
  const facts = counted(wording.figures, figures) + (pages === null ? '' : counted(wording.pages, pages));
  const done = fill(wording.done, { name, facts });
  if (isWhole) return done;
  const isCut = pagesRead === null || pagesRead === pages;
  return done + (isCut ? wording.onlyPart : fill(wording.onlyPages, { page: pagesRead }));
}

function shortFigure({ label, value, unit, page }: KeyFigure): JsonObject {
  return {
    label,
    value: [value, unit].filter((part) => part !== '').join(' '),
    ...(page === null ? {} : { page }),
  };
}

function shortPassage({ page, text }: FoundPassage): JsonObject {
  return {
    ...(page === null ? {} : { page }),
    text,
  };
}

function shortEsg({ covered, missing }: NonNullable<AnalysisResult['esg']>): JsonObject {
  return {
    covered: covered.map(
      ({ code, label, page }) => `${code} ${label}${page === null ? '' : ` (p. ${page})`}`,
    ),
    missing: missing.map(({ code, label }) => `${code} ${label}`),
  };
}

/** What a model reads of a document whose analysis goes on. */
function unfinishedAnswer({ id, name }: DocumentView, progress: number, language: string): JsonValue {
  return {
    summary: fill(wordingIn(language).analysisSkill.inBackground, { name, percent: percentOf(progress) }),
    status: 'RUNNING',
    document: { id, name },
    progress,
  };
}

/** Why a document cannot be analysed as it stands; null: it can. */
export function obstacleOf(document: DocumentView, language: string): SkillError | null {
  const { name, contentId, status, progress } = document;
  const wording = wordingIn(language).analysisSkill;
  if (status === 'FAILED') {
    const reason = errorIn(document, language) ?? '';
    return new SkillError(fill(wording.notReadable, { name, reason }));
  }
  if (contentId === null) return new SkillError(fill(wording.notUploaded, { name }));
  return status === 'COMPLETED'
    ? null
    : new SkillError(fill(wording.notReadYet, { name, percent: percentOf(progress) }));
}

/** Asks which of several documents is meant. */
function ambiguityOf(documents: readonly DocumentView[], language: string, calendar: Calendar): SkillError {
  const { whichOne, nameSeparator } = wordingIn(language).analysisSkill;
  const names = documents.map(
    ({ id, name, createdAt }) => `${name} (${calendar.dayOf(createdAt)}, id ${id})`,
  );
  return new SkillError(fill(whichOne, { names: names.join(nameSeparator) }));
}
