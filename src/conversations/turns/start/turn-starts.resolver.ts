import { Args, Mutation, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../../../companies/auth/viewer-decorators.js';
import type { Viewer } from '../../../companies/auth/viewer.js';
import { RegenerateInput, StartTurnInput, StartTurnResult } from './start-turn.model.js';
import { type StartTurnOutcome, TurnStarts } from './turn-starts.service.js';

@Resolver()
export class TurnStartsResolver {
  constructor(private readonly starts: TurnStarts) {}

  @Mutation(() => StartTurnResult, {
    description: 'Asks a question, which is stored when this returns. Follow it with turnEvents.',
  })
  startTurn(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The question.' }) input: StartTurnInput,
  ): Promise<StartTurnOutcome> {
    return this.starts.start(viewer, input);
  }

  @Mutation(() => StartTurnResult, {
    description:
      'Answers a question again and keeps the existing answers. The documents and the answer schema stay the same.',
  })
  regenerate(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The question to answer again.' }) input: RegenerateInput,
  ): Promise<StartTurnOutcome> {
    return this.starts.regenerate(viewer, input);
  }
}
