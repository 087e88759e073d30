import { distribution } from '../common/config/distribution.js';
import type { Plugins } from '../common/plugins.js';
import { assistantDefinitions } from '../companies/assistants/definitions/assistant-definitions.js';

/** A question for trying the product. */
export interface ExampleQuestion {
  assistantKey: string;
  question: string;
}

/** The example of the default assistant, or else the first one. */
export function exampleQuestion({ assistants }: Pick<Plugins, 'assistants'>): ExampleQuestion {
  const examples = [...assistants, ...assistantDefinitions].flatMap(({ key, example }) =>
    example === undefined ? [] : [{ assistantKey: key, question: example }],
  );
  const usual = examples.find(({ assistantKey }) => assistantKey === distribution.assistant);
  return usual ?? examples[0] ?? { assistantKey: distribution.assistant, question: 'Bonjour' };
}
