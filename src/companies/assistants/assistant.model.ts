import { Field, InputType, Int, ObjectType, ArgsType } from '@nestjs/graphql';
import type { ReasoningEffort as Effort } from '@palabre/llm-client';

import { connectionOf } from '../../common/schema/page.js';
import { enumType, Node, Nullable, DateTime } from '../../common/schema/fields.js';
import { ReasoningEffort } from './reasoning-effort.model.js';
import { assistantRanges, MAX_SKILLS } from './assistant-changes.js';
import type { RetrievalChoice, Strategy as StrategyName } from './assistant-definition.js';
import { MAX_NOTE_CHARACTERS, maxTemplateLength, templateVariables } from './prompt-template.js';
import { MAX_MODEL_NAME_CHARACTERS } from '../providers/provider-input.js';

const Strategy = enumType<StrategyName>('Strategy', 'How an assistant produces its answer.', {
  REACTIVE: 'One streaming loop, in which the model calls skills until it can answer.',
  PLANNED: 'A planner picks each step: call a skill, write the answer, or continue in the background.',
  GROUNDED: 'Searches first, then streams an answer with citations.',
});

const Retrieval = enumType<RetrievalChoice>(
  'Retrieval',
  'When a GROUNDED assistant searches the documents.',
  {
    FORCED: 'Before every answer, if there are any documents.',
    AUTO: 'When the model asks for it, as in assistants with other strategies.',
  },
);

const SHOWS_REASONING =
  'Whether the model’s reasoning is shown: streamed as ReasoningDelta and stored as a part of the answer, as far as the provider reveals it.';

@ObjectType({ description: 'The limits of one turn. At a limit it has to answer.' })
export class Budget {
  @Field(() => Int, { description: 'Model calls.' })
  maxSteps!: number;

  @Field(() => Int, { description: 'Seconds from the start of the turn.' })
  maxSeconds!: number;

  @Field(() => Int, { description: 'Tokens of one model call’s answer.' })
  maxOutputTokens!: number;
}

@ObjectType({ description: 'The limits of one turn while it runs in the background.' })
export class BackgroundBudget {
  @Field(() => Int, { description: 'Model calls.' })
  maxSteps!: number;

  @Field(() => Int, { description: 'Seconds from the move to the background.' })
  maxSeconds!: number;
}

@ObjectType('Assistant', {
  implements: () => [Node],
  description: 'A persona of the agent, with its settings.',
})
export class AssistantModel extends Node {
  @Field(() => String, { description: 'The name that startTurn uses.' })
  key!: string;

  @Field(() => String, { description: 'The display name.' })
  name!: string;

  @Field(() => String, { description: 'The language of the answers, BCP 47.' })
  language!: string;

  @Field(() => Strategy, { description: 'How the assistant produces its answer.' })
  strategy!: StrategyName;

  @Nullable(
    () => String,
    'A model of the installation’s provider, or key/model for a provider of the company. Null: the installation’s default model.',
  )
  model!: string | null;

  @Nullable(
    () => ReasoningEffort,
    'How much the model reasons before it answers. Null: the model’s own default.',
  )
  reasoningEffort!: Effort | null;

  @Field(() => Retrieval, {
    description: 'When the assistant searches the documents. Only used by the strategy GROUNDED.',
  })
  retrieval!: RetrievalChoice;

  @Field(() => Boolean, {
    description: 'Whether the model is given the asker’s earlier messages that are relevant to the question.',
  })
  recallsConversations!: boolean;

  @Field(() => Boolean, {
    description: 'Whether facts of lasting use are stored as memories after a turn.',
  })
  extractsMemories!: boolean;

  @Field(() => Boolean, { description: SHOWS_REASONING })
  showsReasoning!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether the assistant is retired: it starts no more turns, but its conversations stay readable.',
  })
  archived!: boolean;
}

@ObjectType({ description: 'A page of assistants, ordered by key.' })
export class AssistantConnection extends connectionOf(AssistantModel, 'Assistant') {}

/** Descriptions that creating and changing an assistant share. */
const LANGUAGE = 'The language of the answers, BCP 47, such as fr or zh-Hant.';
const SKILLS = `The keys of the skills that the assistant may use, at most ${MAX_SKILLS}, among those offered to it. Null: all of them.`;

@InputType({
  description: 'A new assistant. Its budget is the default of its strategy until it is changed.',
})
export class CreateAssistantInput {
  @Field(() => String, {
    description: 'The name that startTurn uses: 1 to 64 unaccented lowercase letters, digits, - and _.',
  })
  key!: string;

  @Field(() => String, { description: 'The display name: one line of 1 to 100 characters.' })
  name!: string;

  @Field(() => String, { description: LANGUAGE })
  language!: string;

  @Field(() => Strategy, { description: 'How the assistant produces its answer.' })
  strategy!: StrategyName;

  @Field(() => String, { description: 'The base prompt: see publishPrompt.' })
  template!: string;

  @Nullable(
    () => String,
    'A model name of the installation’s provider, or key/model for a provider of the company. Null: the installation’s default model.',
  )
  model?: string | null;

  @Nullable(() => [String], SKILLS)
  skills?: string[] | null;
}

function range(name: keyof typeof assistantRanges): string {
  return assistantRanges[name].join(' to ');
}

@InputType({
  description:
    'The changes. Omitted fields stay as they are. Only model, reasoningEffort and skills accept null.',
})
export class UpdateAssistantInput {
  @Nullable(() => String, 'The display name: one line of 1 to 100 characters.')
  name?: string;

  @Nullable(() => String, LANGUAGE)
  language?: string;

  @Nullable(() => Strategy, 'How the assistant produces its answer.')
  strategy?: StrategyName;

  @Nullable(() => [String], SKILLS)
  skills?: string[] | null;

  @Nullable(
    () => String,
    `A model name of the installation’s provider, or key/model for a provider of the company: at most ${MAX_MODEL_NAME_CHARACTERS} characters. Null: the installation’s default model.`,
  )
  model?: string | null;

  @Nullable(
    () => ReasoningEffort,
    'How much the model reasons before it answers. Null: the model’s own default.',
  )
  reasoningEffort?: Effort | null;

  @Nullable(() => Int, `Model calls of a turn: ${range('maxSteps')}.`)
  maxSteps?: number;

  @Nullable(() => Int, `Seconds of a turn: ${range('maxSeconds')}.`)
  maxSeconds?: number;

  @Nullable(() => Int, `Tokens of one model call’s answer: ${range('maxOutputTokens')}.`)
  maxOutputTokens?: number;

  @Nullable(() => Int, `Model calls in the background: ${range('backgroundMaxSteps')}.`)
  backgroundMaxSteps?: number;

  @Nullable(() => Int, `Seconds in the background: ${range('backgroundMaxSeconds')}.`)
  backgroundMaxSeconds?: number;

  @Nullable(() => Retrieval, 'When the assistant searches the documents. Only used by the strategy GROUNDED.')
  retrieval?: RetrievalChoice;

  @Nullable(
    () => Boolean,
    'Whether the model is given the asker’s earlier messages that are relevant to the question.',
  )
  recallsConversations?: boolean;

  @Nullable(() => Boolean, 'Whether facts of lasting use are stored as memories after a turn.')
  extractsMemories?: boolean;

  @Nullable(() => Boolean, SHOWS_REASONING)
  showsReasoning?: boolean;
}

/** Prompts are pages long. */
const TEMPLATE_COST = 20;

@ObjectType('PromptVersion', { description: 'A version of an assistant’s base prompt.' })
export class PromptVersionModel {
  @Field(() => Int, { description: '1, 2, 3 … in order of publication. 0 is the built-in prompt.' })
  version!: number;

  @Field(() => String, { complexity: TEMPLATE_COST, description: 'The text, with its variables.' })
  template!: string;

  @Nullable(() => DateTime, 'Null for the built-in prompt.')
  publishedAt!: Date | null;

  @Nullable(() => String, 'The publisher. Null for the built-in prompt.')
  publishedBy!: string | null;

  @Nullable(() => String, 'The publisher’s note. Null if there is none.')
  note!: string | null;
}

const variables = templateVariables.map((name) => `{${name}}`).join(' ');

@ArgsType()
export class PublishPromptArguments {
  @Field(() => String, { description: 'An assistant’s key, such as bibliotheque.' })
  assistantKey!: string;

  @Field(() => String, {
    description: `At most ${maxTemplateLength} characters. Contains each of the variables ${variables} at least once, and no others.`,
  })
  template!: string;

  @Nullable(() => String, `What changed, and why: at most ${MAX_NOTE_CHARACTERS} characters.`)
  note?: string | null;
}
