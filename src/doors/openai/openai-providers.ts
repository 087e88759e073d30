import { AskedFiles } from './asked-files.service.js';
import { Asks } from './asks.service.js';
import { GivenInputs } from './given-inputs.service.js';
import { InputItems } from './input-items.service.js';
import { ResponsesDoor } from './responses-door.service.js';
import { Responses } from './responses.service.js';
import { Threads } from './threads.service.js';
import { TurnFollower } from './turn-follower.service.js';
import { UnstoredConversations } from './unstored.service.js';

/** The door for clients of OpenAI. */
export const openAiProviders = [
  AskedFiles,
  Asks,
  GivenInputs,
  InputItems,
  Responses,
  ResponsesDoor,
  Threads,
  TurnFollower,
  UnstoredConversations,
];
