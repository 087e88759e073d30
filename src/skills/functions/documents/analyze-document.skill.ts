import { z } from 'zod';

import { Calendar } from '../../../common/calendar.js';
import type { JsonObject, JsonValue } from '../../../common/json.js';
import { Database } from '../../../database/database.js';
import type { AnalysisResult } from '../../../documents/analysis/analysis-result.js';
import type {
  AnalysisFocus,
  DocumentAnalysis,
} from '../../../documents/analysis/document-analysis.entity.js';
import { DocumentAnalyses } from '../../../documents/analysis/document-analyses.service.js';
import type { NamedDocument } from '../../../documents/analysis/naming/named-document.js';
import { NamedDocuments } from '../../../documents/analysis/naming/named-documents.service.js';
import { DocumentSearch } from '../../../documents/search/document-search.service.js';
import type { FoundPassage } from '../../../documents/search/found-passage.js';
import { FunctionSkill } from '../../function-skill.decorator.js';
import { type Skill, type SkillAnswer, type SkillContext, SkillError } from '../../skill.js';
import { greenAdvisers } from '../green-advisers.js';
import { ambiguityOf, finishedAnswer, obstacleOf, percentOf, unfinishedAnswer } from './analysis-answer.js';
import { analysisWordingOf } from './analysis-wording.js';
import { ANALYZE_DOCUMENT } from './document-skill-keys.js';
import { AwaitedAnalyses } from './awaited-analyses.service.js';

/** As long as a person waits for an answer that begins with something else. */
const MOST_WAITING_MS = 20_000;
/** A line that says how far it is, at every such step. */
const STEP_PERCENT = 10;

const MOST_QUESTION_CHARACTERS = 1_000;
/** Of the document, that bear on a question. */
const MOST_PASSAGES = 4;

const Input = z.strictObject({
  document: z.string().trim().min(1).max(300).optional(),
  focus: z.enum(['summary', 'esg']).optional(),
  question: z.string().trim().min(1).max(MOST_QUESTION_CHARACTERS).optional(),
});

interface Begun {
  document: NamedDocument;
  analysis: DocumentAnalysis;
}

/** Reads a whole document of the company's, however long, and says what is in it. */
@FunctionSkill()
export class AnalyzeDocumentSkill implements Skill {
  readonly key = ANALYZE_DOCUMENT;
  readonly name = 'Document analysis';
  readonly description =
    'Analyses a whole document of the company: summary, key figures with their page, and for ESG which indicators it ' +
    'supports and what is missing for an ESG file (analyser un document, résumer un rapport, chiffres clés, ce qui ' +
    'manque au dossier ESG; analizar un documento, resumir un informe; 分析文件, 摘要報告). Use it when the user asks ' +
    'about a document as a whole. A long one goes on in the background, and the user is notified: call it again later ' +
    'for the result. Do not use it for a single question about what documents say.';
  readonly parameters: JsonObject = {
    type: 'object',
    additionalProperties: false,
    properties: {
      document: {
        type: 'string',
        minLength: 1,
        maxLength: 300,
        description: 'Its name, a part of it, or its id. Left out: the only one that there is.',
      },
      focus: {
        type: 'string',
        enum: ['summary', 'esg'],
        description: 'esg: besides summary and figures, what it holds for an ESG file and what is missing.',
      },
      question: {
        type: 'string',
        minLength: 1,
        maxLength: MOST_QUESTION_CHARACTERS,
        description: 'What the user wants to know besides: gives the passages that bear on it.',
      },
    },
  };
  readonly idempotent = true;

  constructor(
    private readonly database: Database,
    private readonly documents: NamedDocuments,
    private readonly analyses: DocumentAnalyses,
    private readonly awaited: AwaitedAnalyses,
    private readonly search: DocumentSearch,
    private readonly calendar: Calendar,
  ) {}

  get timeoutMs(): number {
    return MOST_WAITING_MS + 15_000;
  }

  async run(input: JsonObject, context: SkillContext): Promise<JsonValue | SkillAnswer> {
    const parsed = Input.safeParse(input);
    if (!parsed.success) throw new SkillError(`The arguments do not fit:\n${z.prettifyError(parsed.error)}`);
    const { document: wanted = null, focus, question = null } = parsed.data;
    const begun = await this.begin(wanted, focusOf(focus, context), context);
    const { companyId, turnId, signal, language } = context;
    const analysis = await this.awaited.wait(begun.analysis.id, {
      companyId,
      turnId,
      mostMs: MOST_WAITING_MS,
      signal,
      onProgress: teller(begun.document, context),
    });
    const result = resultOf(begun.document, analysis, language);
    if (!result) return unfinishedAnswer(begun.document, analysis?.progress ?? 0, language);
    const passages = await this.passagesOn(question, begun.document, context);
    return finishedAnswer(begun.document, result, passages, language);
  }

  private async passagesOn(
    query: string | null,
    { id }: NamedDocument,
    { companyId, signal }: SkillContext,
  ): Promise<readonly FoundPassage[]> {
    if (query === null) return [];
    const asked = { query, limit: MOST_PASSAGES, documentIds: [id] };
    return (await this.search.search(companyId, asked, signal)).passages;
  }

  private begin(wanted: string | null, focus: AnalysisFocus, context: SkillContext): Promise<Begun> {
    const { companyId, turnId, memberId, assistantKey: assistant, language, documentIds } = context;
    return this.database.transaction(companyId, async (tx) => {
      const found = await this.documents.find(tx, wanted, documentIds);
      const document = this.onlyOne(found, wanted, language);
      const obstacle = obstacleOf(document, language);
      if (obstacle) throw obstacle;
      const { contentId, name: documentName } = document;
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
      if (!analysis) throw new SkillError(analysisWordingOf(language).notFound(documentName));
      return { document, analysis };
    });
  }

  private onlyOne(
    documents: readonly NamedDocument[],
    wanted: string | null,
    language: string,
  ): NamedDocument {
    const [document, another] = documents;
    const wording = analysisWordingOf(language);
    if (!document) throw new SkillError(wanted === null ? wording.noDocument : wording.notFound(wanted));
    if (another) throw ambiguityOf(documents, language, this.calendar);
    return document;
  }
}

/** Those who advise on ESG are asked about documents because of it. */
const focusOf = (focus: 'summary' | 'esg' | undefined, { assistantKey }: SkillContext): AnalysisFocus => {
  if (focus) return focus === 'esg' ? 'ESG' : 'SUMMARY';
  return greenAdvisers.some((key) => key === assistantKey) ? 'ESG' : 'SUMMARY';
};

const teller = (
  { name }: NamedDocument,
  { progress, language }: SkillContext,
): ((analysis: DocumentAnalysis) => void) => {
  let told = -STEP_PERCENT;
  return (analysis) => {
    const percent = percentOf(analysis.progress);
    if (percent < told + STEP_PERCENT) return;
    told = percent;
    progress(analysisWordingOf(language).reading(name, percent));
  };
};

/** Null: it is not there yet. */
const resultOf = (
  { name }: NamedDocument,
  analysis: DocumentAnalysis | null,
  language: string,
): AnalysisResult | null => {
  const wording = analysisWordingOf(language);
  if (!analysis) throw new SkillError(wording.notFound(name));
  if (analysis.failure !== null) throw new SkillError(wording.failed[analysis.failure](name));
  return analysis.result;
};
