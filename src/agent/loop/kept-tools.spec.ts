import { finish } from '@palabre/llm-client/scripted-chat-model.double.js';

import { answer, look, playPlanned as run, synthesize, toolNames } from './scripted-plans.double.js';
import { ended } from './scripted-turn.double.js';

describe('the answer of a planned turn', () => {
  it('leaves the answer the tools where prompts are cached, and forbids them, until one is called all the same', async () => {
    const offered = ['look', 'synthesize_answer', 'continue_in_background'];
    const good = await run([synthesize(), answer], { isCaching: true });
    expect(good.model.requests.map(toolNames)).toEqual([offered, offered]);
    expect(good.model.requests.map(({ toolChoice }) => toolChoice)).toEqual(['required', 'none']);
    const calling = await run([synthesize(), [look(), finish()], answer], { isCaching: true });
    expect(calling.model.requests.map(toolNames)).toEqual([offered, offered, []]);
    expect(calling.result).toEqual(ended('ANSWERED'));
  });
});
