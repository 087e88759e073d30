import type { ToolSpec } from '../../llm/chat-model.js';
import type { SkillOffer } from './agent-ports.js';
import { type AgentRun, smallestWindow } from './agent-run.js';
import { answerTokensIn } from './model-call/answer-room.js';
import { fitsAtLeast } from './prompt/fit-prompt.js';
import { type Step, withSafeResults } from './prompt/prompt.js';
import { loadedTokensIn, withoutInstructions } from './skills/loaded-packs.js';
import { offeredTools, type ToolFit } from './skills/offered-tools.js';
import { skillSection } from './skills/skill-section.js';

/**
 * The tools that a model call offers after the steps, and `besides`. What was searched for is offered as far as the
 * shortest prompt that there could be fits beside it.
 */
export const toolsOf = (
  run: AgentRun,
  offer: SkillOffer,
  steps: readonly Step[],
  besides: readonly ToolSpec[] = [],
): ToolSpec[] => {
  const { turn, ports, ownSkills } = run;
  const { language } = turn.prompt;
  const windowTokens = smallestWindow(ports.models, run.windows);
  const maxOutputTokens = answerTokensIn(windowTokens, turn.budget.maxOutputTokens);
  const fits: ToolFit = (found, moreTokens = 0) => {
    const loadedTokens = loadedTokensIn(windowTokens - maxOutputTokens);
    const { text } = skillSection(offer, steps, { language, tokens: ports.tokens, loadedTokens });
    const told = withSafeResults(withoutInstructions(steps, language));
    return fitsAtLeast(
      { ...turn.prompt, skillText: text, memoryText: '', steps: told },
      {
        windowTokens: windowTokens - moreTokens,
        maxOutputTokens,
        tools: [...found, ...besides],
        tokens: ports.tokens,
      },
    );
  };
  ownSkills.offering(fits);
  return [...offeredTools(offer, steps, language, fits), ...besides];
};
