import { Args, Mutation, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../../../companies/auth/viewer-decorators.js';
import type { Viewer } from '../../../companies/auth/viewer.js';
import { RegenerateInput, StartTurnInput, StartTurnResult } from './start-turn.model.js';
import { type StartTurnOutcome, TurnStarts } from './turn-starts.service.js';

@Resolver()
export class TurnStartsResolver {
  constructor(private readonly starts: TurnStarts) {}

  @Mutation(() => StartTurnResult, {
    description: 'Asks a question. It is stored when this answers; follow it by turnEvents.',
  })
  startTurn(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The question.' }) input: StartTurnInput,
  ): Promise<StartTurnOutcome> {
    return this.starts.start(viewer, input);
  }

  @Mutation(() => StartTurnResult, {
    description:
      'Has a question answered once more, beside the answers that it has. It is about the same documents, and the answer has to fit the same schema.',
  })
  regenerate(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What is to be answered again.' }) input: RegenerateInput,
  ): Promise<StartTurnOutcome> {
    return this.starts.regenerate(viewer, input);
  }
}
