import type { ToolSpec } from '@palabre/llm-client';

import type { TokenCounter } from '../agent-ports.js';
import { roughTokens } from '../scripted-turn.double.js';
import { toolsTokens } from './prompt-tokens.js';

function toolOf(name: string): ToolSpec {
  return { name, description: `Does ${name}.`, parameters: { type: 'object' } };
}

it('has the same text counted of a tool in whatever list it is, so that its tokens are remembered', () => {
  const [a, b, c] = [toolOf('a'), toolOf('b'), toolOf('c')];
  const counted = new Set<string>();
  const count: TokenCounter['count'] = (text) => {
    if (text.includes('Does b.')) counted.add(text);
    return roughTokens.count(text);
  };
  for (const tools of [[b], [a, b], [a, b, c]]) toolsTokens(tools, { ...roughTokens, count });
  expect(counted.size).toBe(1);
});
