import type { JsonObject } from '../../../common/json.js';
import type { ToolCall, ToolSpec } from '../../../llm/chat-model.js';
import type { ReservedKey } from '../../../skills/reserved-keys.js';
import type {
  LoadedPack,
  RetrievalPort,
  SkillOffer,
  SkillOutcome,
  SkillPort,
  SkillRequest,
} from '../agent-ports.js';
import { singleLine } from '../../../common/data-text.js';
import type { PromptState } from '../prompt/prompt.js';
import { labelsFor, type PromptLabels } from '../prompt/prompt-labels.js';
import { resultOf, type Sources } from './sources.js';

export const RETRIEVE_DOCUMENTS = 'retrieve_documents' satisfies ReservedKey;

const MOST_QUERY = 1_000;
const MOST_PREVIEW = 300;

/** The skills of a turn, and the search of the company's documents among them. */
export class RetrievalSkills implements SkillPort {
  readonly retrieve: ToolSpec;
  private readonly labels: PromptLabels;
  private readonly question: string;
  /** Calls at the same time are numbered in the order of asking. */
  private numbered: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly skills: SkillPort,
    private readonly retrieval: RetrievalPort,
    private readonly sources: Sources,
    { language, question }: Pick<PromptState, 'language' | 'question'>,
  ) {
    this.labels = labelsFor(language);
    this.question = singleLine(question, MOST_QUERY);
    this.retrieve = {
      name: RETRIEVE_DOCUMENTS,
      description: this.labels.retrieveDocuments,
      parameters: {
        type: 'object',
        properties: { query: { type: 'string', description: this.labels.retrieveQuery } },
        required: ['query'],
        additionalProperties: false,
      },
    };
  }

  /** A search for the question itself, for a model that asks for none. */
  searchForQuestion(): ToolCall {
    const query = JSON.stringify({ query: this.question });
    return { id: this.newCallId(), name: RETRIEVE_DOCUMENTS, arguments: query };
  }

  async list(): Promise<SkillOffer> {
    const { tools, packs } = await this.skills.list();
    return { tools: [this.retrieve, ...tools.filter(({ name }) => name !== RETRIEVE_DOCUMENTS)], packs };
  }

  call(
    request: SkillRequest,
    signal: AbortSignal,
    progress: (detail: string) => void,
  ): Promise<SkillOutcome> {
    if (request.key !== RETRIEVE_DOCUMENTS) return this.skills.call(request, signal, progress);
    const outcome = this.search(this.queryIn(request.arguments), this.numbered, signal);
    this.numbered = outcome.catch(() => undefined);
    return outcome;
  }

  loadPack(key: string, signal: AbortSignal): Promise<LoadedPack | null> {
    return this.skills.loadPack(key, signal);
  }

  readPackFile(key: string, path: string, signal: AbortSignal): Promise<string | null> {
    return this.skills.readPackFile(key, path, signal);
  }

  isRepeatable(key: string): boolean {
    return key === RETRIEVE_DOCUMENTS || this.skills.isRepeatable(key);
  }

  approvalFor(key: string): { askerMayApprove: boolean } | null {
    return key === RETRIEVE_DOCUMENTS ? null : this.skills.approvalFor(key);
  }

  read(argumentsText: string): JsonObject {
    return this.skills.read(argumentsText);
  }

  newCallId(): string {
    return this.skills.newCallId();
  }

  private queryIn(argumentsText: string): string {
    const { query } = this.read(argumentsText);
    return (typeof query === 'string' && singleLine(query, MOST_QUERY)) || this.question;
  }

  private async search(query: string, before: Promise<unknown>, signal: AbortSignal): Promise<SkillOutcome> {
    try {
      const found = await this.retrieval.retrieve(query, signal);
      await before;
      const numbered = this.sources.number(found);
      if (numbered.length === 0) return this.nothingFound();
      const names = [...new Set(numbered.map(({ documentName }) => documentName))];
      const preview = singleLine(names.join(this.labels.listSeparator), MOST_PREVIEW);
      return { status: 'SUCCEEDED', result: resultOf(numbered), preview };
    } catch {
      signal.throwIfAborted();
      const { searchFailed } = this.labels;
      return { status: 'FAILED', result: JSON.stringify({ error: searchFailed }), preview: searchFailed };
    }
  }

  private nothingFound(): SkillOutcome {
    const { nothingFound } = this.labels;
    const result = JSON.stringify({ passages: [], note: nothingFound });
    return { status: 'SUCCEEDED', result, preview: nothingFound };
  }
}
