import { O200kTokenizer } from '@palabre/llm-client';

import { Clock } from '../common/clock.js';
import type { TurnMemory } from './turn-memory.service.js';
import type { TurnModels } from './turn-models.service.js';
import { TurnPorts } from './turn-ports.service.js';
import type { TurnSkills } from './turn-skills.service.js';

it('has the tables that tokens are counted by before there is a turn', () => {
  const tokens = new O200kTokenizer();
  const prepare = vi.spyOn(tokens, 'prepare');
  const ports = new TurnPorts({} as TurnModels, {} as TurnSkills, {} as TurnMemory, tokens, {} as Clock);
  ports.onApplicationBootstrap();
  expect(prepare).toHaveBeenCalledOnce();
});
