import { Field, InputType, Int, ObjectType, ArgsType } from '@nestjs/graphql';
import type { ReasoningEffort as Effort } from '@palabre/llm-client';

import { connectionOf } from '../../common/schema/page.js';
import { enumType, Node, Nullable, DateTime } from '../../common/schema/fields.js';
import { ReasoningEffort } from './reasoning-effort.model.js';
import { assistantRanges } from './assistant-changes.js';
import type { RetrievalChoice, Strategy as StrategyName } from './assistant-definition.js';
import { maxTemplateLength, templateVariables } from './prompt-template.js';

const Strategy = enumType<StrategyName>('Strategy', 'How an assistant comes to its answer.', {
  REACTIVE: 'One streaming loop: the model calls skills until it answers.',
  PLANNED: 'A planner decides each step: call a skill, synthesise the answer, or go on in the background.',
  GROUNDED: 'Retrieves first, then streams an answer with citations.',
});

const Retrieval = enumType<RetrievalChoice>(
  'Retrieval',
  'How a GROUNDED assistant comes to search the documents.',
  {
    FORCED: 'They are searched before every answer, wherever there are any.',
    AUTO: 'They are searched when the model asks for it, as by assistants of other strategies.',
  },
);

const SHOWS_REASONING =
  'Whether what its model thinks before it answers is shown: streamed as ReasoningDelta and kept as a part of the answer, as far as its provider shows it.';

@ObjectType({ description: 'What one turn may use up before it is made to answer.' })
export class Budget {
  @Field(() => Int, { description: 'Model calls.' })
  maxSteps!: number;

  @Field(() => Int, { description: 'Seconds from the turn’s start.' })
  maxSeconds!: number;

  @Field(() => Int, { description: 'Tokens of one model call’s answer.' })
  maxOutputTokens!: number;
}

@ObjectType({ description: 'What one turn that goes on in the background may use up.' })
export class BackgroundBudget {
  @Field(() => Int, { description: 'Model calls.' })
  maxSteps!: number;

  @Field(() => Int, { description: 'Seconds from when it went on in the background.' })
  maxSeconds!: number;
}

@ObjectType('Assistant', { implements: () => [Node], description: 'A configured persona of the agent.' })
export class AssistantModel extends Node {
  @Field(() => String, { description: 'What startTurn calls it by.' })
  key!: string;

  @Field(() => String, { description: 'What people call it.' })
  name!: string;

  @Field(() => String, { description: 'The language it answers in, BCP 47.' })
  language!: string;

  @Field(() => Strategy, { description: 'How it comes to its answer.' })
  strategy!: StrategyName;

  @Nullable(
    () => String,
    'A model of the installation’s provider, or key/model of a provider of the company’s; null: the installation’s default model.',
  )
  model!: string | null;

  @Nullable(
    () => ReasoningEffort,
    'How much its model is to think before it speaks; null: as it does by itself.',
  )
  reasoningEffort!: Effort | null;

  @Field(() => Retrieval, {
    description: 'How it comes to search the documents; of no effect unless its strategy is GROUNDED.',
  })
  retrieval!: RetrievalChoice;

  @Field(() => Boolean, {
    description: 'Whether earlier messages of the asker that bear on a question are told to the model.',
  })
  recallsConversations!: boolean;

  @Field(() => Boolean, {
    description: 'Whether what a turn tells of lasting use is noted as memories once it has ended.',
  })
  extractsMemories!: boolean;

  @Field(() => Boolean, { description: SHOWS_REASONING })
  showsReasoning!: boolean;

  @Field(() => Boolean, {
    description: 'Whether it is retired: it begins no more turns, and its conversations stay readable.',
  })
  archived!: boolean;
}

@ObjectType({ description: 'A page of assistants, by key.' })
export class AssistantConnection extends connectionOf(AssistantModel, 'Assistant') {}

/** What may be said of an assistant when it is made, and changed later. */
const LANGUAGE = 'The language it answers in, BCP 47, such as fr or zh-Hant.';
const SKILLS =
  'The keys of the only skills that it may use, of those that are for it, at most 1000; null: all of them.';

@InputType({
  description: 'An assistant to be made. Its budget is that of its strategy, until it is changed.',
})
export class CreateAssistantInput {
  @Field(() => String, {
    description: 'What startTurn calls it by: 1 to 64 small letters without accents, digits, - and _.',
  })
  key!: string;

  @Field(() => String, { description: 'What people call it: one line of 1 to 100 characters.' })
  name!: string;

  @Field(() => String, { description: LANGUAGE })
  language!: string;

  @Field(() => Strategy, { description: 'How it comes to its answer.' })
  strategy!: StrategyName;

  @Field(() => String, { description: 'Its base prompt: see publishPrompt.' })
  template!: string;

  @Nullable(
    () => String,
    'A name that the installation’s provider knows, or key/model of a provider of the company’s. Null: the installation’s default model.',
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
    'What to change. Left out: as it was. Null is for the model, its reasoningEffort and the skills alone.',
})
export class UpdateAssistantInput {
  @Nullable(() => String, 'What people call it: one line of 1 to 100 characters.')
  name?: string;

  @Nullable(() => String, LANGUAGE)
  language?: string;

  @Nullable(() => Strategy, 'How it comes to its answer.')
  strategy?: StrategyName;

  @Nullable(() => [String], SKILLS)
  skills?: string[] | null;

  @Nullable(
    () => String,
    'A name that the installation’s provider knows, or key/model of a provider of the company’s; at most 200 characters. Null: the installation’s default model.',
  )
  model?: string | null;

  @Nullable(
    () => ReasoningEffort,
    'How much its model is to think before it speaks; null: as it does by itself.',
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

  @Nullable(
    () => Retrieval,
    'How it comes to search the documents; of no effect unless its strategy is GROUNDED.',
  )
  retrieval?: RetrievalChoice;

  @Nullable(
    () => Boolean,
    'Whether earlier messages of the asker that bear on a question are told to the model.',
  )
  recallsConversations?: boolean;

  @Nullable(() => Boolean, 'Whether what a turn tells of lasting use is noted as memories once it has ended.')
  extractsMemories?: boolean;

  @Nullable(() => Boolean, SHOWS_REASONING)
  showsReasoning?: boolean;
}

/** It is pages long. */
const TEMPLATE_COST = 20;

@ObjectType('PromptVersion', { description: 'A base prompt of an assistant.' })
export class PromptVersionModel {
  @Field(() => Int, { description: '1, 2, 3 … in the order of publication; 0 is the one that ships.' })
  version!: number;

  @Field(() => String, { complexity: TEMPLATE_COST, description: 'The text with its variables.' })
  template!: string;

  @Nullable(() => DateTime, 'Null for the one that ships.')
  publishedAt!: Date | null;

  @Nullable(() => String, 'Who published it; null for the one that ships.')
  publishedBy!: string | null;

  @Nullable(() => String, 'What its publisher noted; null when nothing.')
  note!: string | null;
}

const variables = templateVariables.map((name) => `{${name}}`).join(' ');

@ArgsType()
export class PublishPromptArguments {
  @Field(() => String, { description: 'Such as mefali.' })
  assistantKey!: string;

  @Field(() => String, {
    description: `At most ${maxTemplateLength} characters, with each of the variables ${variables} at least once and no other.`,
  })
  template!: string;

  @Nullable(() => String, 'What changed and why: at most 500 characters.')
  note?: string | null;
}
